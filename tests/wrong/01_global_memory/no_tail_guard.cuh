// rejected: fault
// Nothing keeps the last block inside the array. It goes unnoticed as long as n is a multiple of the
// block, as it is in most examples; otherwise it adds, and overwrites, what lies behind the array.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

// ANCHOR: kernel
__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) data[i] += data[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? data[i] : 0.0f;
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
