// rejected: wrong result
// Every thread adds n / threads elements. The remainder of the division is never read: right only where the
// grid divides n.
#pragma once

#include "../../chapters/grid_sums.cuh"

// ANCHOR: kernel
template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  const int per_thread = n / stride;
  float sum = 0.0f;
  for (int k = 0; k < per_thread; ++k) sum += in[blockIdx.x * kThreads + t + k * stride];
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
