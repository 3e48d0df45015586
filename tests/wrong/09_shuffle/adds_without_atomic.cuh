// rejected: race
// Each block reads the total, adds, and writes it back: of two that read the same value one is lost.
#pragma once

#define sum_shuffle_atomic solved_sum_shuffle_atomic  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle_atomic

__global__ void sum_shuffle_atomic(const float* in, float* total, int n) {
  const float sum = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) *total += sum;
}
