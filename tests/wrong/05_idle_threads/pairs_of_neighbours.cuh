// rejected: right, but it reads 128 sectors of global memory for every 512 elements
// Each thread adds two neighbours, 2 * t and 2 * t + 1. The sums are right; but the lanes of a load are 8
// bytes apart, and each of the two loads touches all 8 sectors of which it needs half.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsC + 2 * t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + 1 < n) sum += in[i + 1];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
