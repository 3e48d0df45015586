// rejected: wrong result
// The caller gets its blocks, and each still sums 512 elements: the rest of the array belongs to nobody.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * kThreads + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreads < n) sum += in[i + kThreads];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
