// rejected: race
// "The branch must not split a warp" became: warps take turns by their number. All lanes of a warp agree now,
// and every lane adds an element that another lane is adding to.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    if (t / 32 % (2 * len) == 0 && t + len < blockDim.x) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
