// rejected: right, but it makes warps wait at a barrier 80 times for every 512 elements
// The tile holds both elements of every thread, and the tree gets one more level. The additions are as few as
// they can be, and each costs a trip to the tile: what is added in a register need not be stored, waited for
// and loaded.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kElementsC];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsC + t;
  tile[t] = i < n ? in[i] : 0.0f;
  tile[t + kBlock] = i + kBlock < n ? in[i + kBlock] : 0.0f;
  __syncthreads();
  for (int stride = kElementsC / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
