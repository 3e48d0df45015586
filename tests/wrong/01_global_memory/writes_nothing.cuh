// rejected: wrong result
// The tree is right and its result is never stored: block_sums keeps what it held. A check that runs a
// right kernel first and reuses its output array would not notice.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) data[i] += data[i + len];
    __syncthreads();
  }
  (void)block_sums;
}
