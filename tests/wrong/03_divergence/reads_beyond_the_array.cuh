// rejected: fault
// The tile is filled without asking whether the element exists: right only for multiples of 256.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = in[i];
  __syncthreads();
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[left] += tile[left + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
