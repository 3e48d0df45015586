// rejected: wrong result
// Each thread loads two elements, and the grid is as large as before: kElementsC is still kBlock. Every tile
// but the first is added twice.
#pragma once

#define sum_adjacent_tiles solved_sum_adjacent_tiles  // what is not defined below is the solution's
#define kElementsC solved_kElementsC
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_adjacent_tiles
#undef kElementsC

inline constexpr int kElementsC = kBlock;

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsC + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
