// rejected: right, but it makes warps wait at a barrier 152 times for every 512 elements
// Half as many blocks, and each builds one tree after the other. A tree has the idle threads that it had;
// only the number of launched blocks went down.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 2; ++k) {
    const int i = blockIdx.x * kElementsC + k * kBlock + t;
    tile[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    add_up_tile(tile, blockDim.x);
    sum += tile[0];
    if (k == 0) __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = sum;
}
