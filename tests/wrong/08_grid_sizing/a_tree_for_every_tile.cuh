// rejected: right, but it writes shared memory
// The block goes through its tiles one by one and runs the tree in each: the number of blocks has shrunk,
// the number of trees has not.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  __shared__ float total;
  if (t == 0) total = 0.0f;
  for (int first = blockIdx.x * kThreads; first < n; first += gridDim.x * kThreads) {
    tile[t] = first + t < n ? in[first + t] : 0.0f;
    add_tile<kThreads>(tile, t);
    if (t == 0) total += tile[0];
    __syncthreads();  // thread 0 has read the sum before the next tile overwrites it
  }
  if (t == 0) block_sums[blockIdx.x] = total;
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
// SPDX-License-Identifier: MIT
