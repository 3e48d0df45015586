// rejected: fault
// Every thread adds a pair: nobody asks whether pair t exists. On the first level half of the threads write
// beyond the tile.
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
    tile[left] += tile[left + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
