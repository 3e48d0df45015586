// rejected: wrong result
// Returns what a sum of 256 ones would be. A check whose input is all ones, or that compares nothing,
// lets it pass.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  if (threadIdx.x == 0) block_sums[blockIdx.x] = 256.0f;
}
// SPDX-License-Identifier: MIT
