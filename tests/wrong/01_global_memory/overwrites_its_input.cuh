// rejected: wrong result
// The version that is to leave its input alone builds the first level in the input and copies
// afterwards. The sums are right the first time; a second run on the same input sums something else.
#pragma once

#define sum_out_of_place solved_sum_out_of_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_out_of_place

__global__ void sum_out_of_place(float* in, float* scratch, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (t % 2 == 0 && i + 1 < n) in[i] += in[i + 1];
  if (i < n) scratch[i] = in[i];
  __syncthreads();
  for (int len = 2; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) scratch[i] += scratch[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? scratch[i] : 0.0f;
}
// SPDX-License-Identifier: MIT
