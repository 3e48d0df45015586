// rejected: wrong result
// The index is kept inside the array by min: beyond the end, threads add the last element once more.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  const int rounds = n / stride + 1;
  float sum = 0.0f;
  for (int k = 0; k < rounds && n > 0; ++k) sum += in[min(blockIdx.x * kThreads + t + k * stride, n - 1)];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
