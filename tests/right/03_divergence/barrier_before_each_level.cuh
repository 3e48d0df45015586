// The barrier stands at the head of the loop. Thread 0 makes the last addition, and may store its own result
// at once.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    __syncthreads();
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[left] += tile[left + len];
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
