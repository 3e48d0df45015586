// rejected: race
// All warps add to the same 32 slots of the tile.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  tile[t] = 0.0f;
  __syncthreads();
  for (int i = blockIdx.x * kThreads + t; i < n; i += stride) tile[t % 32] += in[i];

  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
