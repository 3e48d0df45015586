// rejected: wrong result
// Four elements a round while there are four. The last one, two or three of a thread are forgotten.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  float sum = 0.0f;
  for (int i = blockIdx.x * kThreads + t; i + 3 * stride < n; i += 4 * stride)
    sum += in[i] + in[i + stride] + in[i + 2 * stride] + in[i + 3 * stride];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
