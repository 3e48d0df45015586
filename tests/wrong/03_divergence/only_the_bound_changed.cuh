// rejected: race
// The right number of threads at the wrong place: the first threads add, each at tile[t] still. Thread 1 adds
// tile[2] to tile[1], which thread 0 is reading.
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
    if (t < blockDim.x / (2 * len)) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
