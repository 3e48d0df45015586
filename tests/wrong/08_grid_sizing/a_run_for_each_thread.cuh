// rejected: right, but it reads 4,096 sectors
// Every thread adds a run of neighbours: the lanes of a warp are far apart, and each load touches 32
// sectors.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  const int run = n / stride + (n % stride > 0);
  const int first = (blockIdx.x * kThreads + t) * run;
  float sum = 0.0f;
  for (int i = first; i < first + run && i < n; ++i) sum += in[i];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
// SPDX-License-Identifier: MIT
