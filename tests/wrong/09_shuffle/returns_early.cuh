// rejected: shuffle
// Threads without an element leave at once, "since they have nothing to do". The shuffles name them, and
// read from them.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  if (blockIdx.x * kBlock + threadIdx.x >= n) {
    if (threadIdx.x == 0) block_sums[blockIdx.x] = 0.0f;
    return;
  }
  const float sum = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
