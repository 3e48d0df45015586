// rejected: race
// The condition lost its factor 2: t % len == 0 lets the neighbour add as well, while its element is being read.
// What is read depends on who comes first, and elements are added more than once.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % len == 0 && i + len < n) data[i] += data[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? data[i] : 0.0f;
}
