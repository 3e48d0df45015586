// rejected: wrong result
// The index is t now, and the loop still runs from 1 up: the first level adds one pair and the last 128, most
// of them too late to be read again. tile[0] ends as the sum of elements 0, 1, 2, 4 … 128.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    if (t < len) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
