// rejected: race
// The barrier after the load went away with the lines around it. The tree reads what another warp may not
// have stored yet.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsC + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
