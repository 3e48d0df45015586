// rejected: wrong result
// gridDim.x counts blocks, not threads. A step of that length lands on elements of other threads.
#pragma once

#include "../../chapters/grid_sums.cuh"

// ANCHOR: kernel
template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * kThreads + t; i < n; i += gridDim.x) sum += in[i];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
// SPDX-License-Identifier: MIT
