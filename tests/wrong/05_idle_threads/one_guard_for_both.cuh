// rejected: wrong result
// A pair is added only if both elements exist. In the last block a first element without a second is dropped;
// lengths that are multiples of 512 are right.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsC + t;
  const float sum = i + kBlock < n ? in[i] + in[i + kBlock] : 0.0f;
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
