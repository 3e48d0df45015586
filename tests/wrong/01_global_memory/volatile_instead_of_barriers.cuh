// rejected: race
// volatile makes every read and write happen, in memory and in program order. It makes no thread wait for another.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  volatile float* tile = data;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) tile[i] = tile[i] + tile[i + len];
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? tile[i] : 0.0f;
}
