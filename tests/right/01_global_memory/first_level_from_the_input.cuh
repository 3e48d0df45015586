// The copy to scratch does the first level on the way: even threads store sums of pairs, and the tree
// starts with len = 2.
#pragma once

#define sum_out_of_place solved_sum_out_of_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_out_of_place

__global__ void sum_out_of_place(const float* in, float* scratch, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (t % 2 == 0 && i < n) scratch[i] = in[i] + (i + 1 < n ? in[i + 1] : 0.0f);
  __syncthreads();
  for (int len = 2; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) scratch[i] += scratch[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? scratch[i] : 0.0f;
}
// SPDX-License-Identifier: MIT
