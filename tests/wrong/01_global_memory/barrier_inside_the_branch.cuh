// rejected: barrier
// Only the threads that add reach the barrier; the others run on to the next one. A barrier waits for every thread of
// the block: this hangs, or, on some GPUs, mixes up levels.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) {
      data[i] += data[i + len];
      __syncthreads();
    }
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? data[i] : 0.0f;
}
// SPDX-License-Identifier: MIT
