// rejected: wrong result
// Threads beyond n return before the barrier. Threads that have left hold up no barrier, and the tree needs nothing
// of these; but for an empty input nobody is left to store the sum, 0.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i >= n) return;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) data[i] += data[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = data[i];
}
