// rejected: race
// The sums of neighbours are stored without gaps, sum p in tile[p], in one step. Thread 1 writes tile[1]
// while thread 0 may still have to read it.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned pairs = blockDim.x / 2; pairs > 0; pairs /= 2) {
    if (t < pairs) tile[t] = tile[2 * t] + tile[2 * t + 1];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
