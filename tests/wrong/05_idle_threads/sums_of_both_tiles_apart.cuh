// rejected: fault
// Each block sums its two tiles one after the other and stores two sums, at 2 * blockIdx.x and the place
// after it. The grid has half as many blocks, and block_sums half as many places.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    const int i = blockIdx.x * kElementsC + k * kBlock + t;
    tile[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    add_up_tile(tile, blockDim.x);
    if (t == 0) block_sums[2 * blockIdx.x + k] = tile[0];
    __syncthreads();
  }
}
