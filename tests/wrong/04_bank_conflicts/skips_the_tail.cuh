// rejected: never written
// Nothing is written to the tile beyond n, and nothing is read from there: right for every length but 0,
// where thread 0 stores an element that nobody wrote.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < n) tile[t] = in[i];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride && i + stride < n) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
