// rejected: right, but it accesses local memory
// Eight sums in an array whose index is known only when it runs: an array that can be indexed has an
// address, and registers have none.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  float sums[8] = {};
  int k = 0;
  for (int i = blockIdx.x * kThreads + t; i < n; i += stride) sums[k++ % 8] += in[i];
  float sum = 0.0f;
  for (int j = 0; j < 8; ++j) sum += sums[j];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
