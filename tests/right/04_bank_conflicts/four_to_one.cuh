// stretch: reached
// Four elements a quarter of what is left apart on each level: four levels instead of eight.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int quarter = kBlock / 4; quarter > 0; quarter /= 4) {
    if (t < quarter) tile[t] += tile[t + quarter] + tile[t + 2 * quarter] + tile[t + 3 * quarter];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
