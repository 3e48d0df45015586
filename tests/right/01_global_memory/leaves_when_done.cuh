// A thread that has given its sum away leaves; the barrier waits for those that are left. (On compute capability 7.0
// or later: the simulated GPU warns, and accepts it.)
#pragma once

#define sum_out_of_place solved_sum_out_of_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_out_of_place

__global__ void sum_out_of_place(const float* in, float* scratch, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < n) scratch[i] = in[i];
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) != 0) return;
    if (i + len < n) scratch[i] += scratch[i + len];
    __syncthreads();
  }
  block_sums[blockIdx.x] = i < n ? scratch[i] : 0.0f;
}
// SPDX-License-Identifier: MIT
