// rejected: right, but it writes shared memory
// The running sum lives in the tile, as in a widely copied version of this kernel: a load and a store of
// shared memory for every element, where a register costs neither.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  volatile float* const running = &tile[t];
  *running = 0.0f;
  for (int i = blockIdx.x * kThreads + t; i < n; i += stride) *running = *running + in[i];

  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
// SPDX-License-Identifier: MIT
