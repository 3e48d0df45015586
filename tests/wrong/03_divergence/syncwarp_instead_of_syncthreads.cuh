// rejected: race
// "The working threads fill whole warps, so the warp is enough": on level 2 warp 0 reads sums that warps 0
// and 1 have written, and __syncwarp() waits for one warp only.
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
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[left] += tile[left + len];
    __syncwarp();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
