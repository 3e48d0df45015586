// rejected: race
// *sum += in[i] for atomicAdd(sum, in[i]): every thread reads the old sum, adds its element, and writes over what
// the others wrote. One element of many survives.
#pragma once

#define sum_atomic solved_sum_atomic  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_atomic

// ANCHOR: kernel
__global__ void sum_atomic(const float* in, float* sum, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) *sum += in[i];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
