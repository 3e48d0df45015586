// rejected: barrier
// Only the threads that add reach the barrier. Whole warps do not come to it at all, and the ones that do
// wait for ever.
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
    if (left < blockDim.x) {
      tile[left] += tile[left + len];
      __syncthreads();
    }
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
