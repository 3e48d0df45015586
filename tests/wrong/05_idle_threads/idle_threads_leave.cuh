// rejected: never written
// Threads beyond n return at once. A thread that has left holds up no barrier, but the tree adds what it
// should have stored: the zero of an element that does not exist.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsC + t;
  if (i >= n) return;
  float sum = in[i];
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
