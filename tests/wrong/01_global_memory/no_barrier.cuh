// rejected: race
// The levels of the tree are not separated. Every level reads what other warps wrote on the level
// before; without a barrier a warp runs through all its levels while its neighbours have not begun
// theirs. It looks safe, because within a level no two threads touch the same element.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) data[i] += data[i + len];
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? data[i] : 0.0f;
}
