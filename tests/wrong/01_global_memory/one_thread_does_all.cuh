// rejected: right, but
// Thread 0 adds the whole tile, and the others watch: right, and a program for a CPU. A block makes 256
// load requests of one lane each where the tree makes 95.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int i = blockIdx.x * kBlock;
  if (threadIdx.x > 0) return;
  float sum = 0.0f;
  for (int k = i; k < i + kBlock && k < n; ++k) sum += data[k];
  block_sums[blockIdx.x] = sum;
}
// SPDX-License-Identifier: MIT
