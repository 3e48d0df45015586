// rejected: wrong result: sum_all
// The loop would do for any grid, and the caller gets one block whatever it wants: one multiprocessor
// works.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  float sum = 0.0f;
  for (int i = blockIdx.x * kThreads + t; i < n; i += stride) sum += in[i];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int) {
  return 1;
}
