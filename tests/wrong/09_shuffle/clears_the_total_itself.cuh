// rejected: race
// The kernel sets the total to 0 before it adds. Blocks start in any order, so it may clear what others have
// added; the caller must do it before the launch.
#pragma once

#define sum_shuffle_atomic solved_sum_shuffle_atomic  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle_atomic

__global__ void sum_shuffle_atomic(const float* in, float* total, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0.0f;
  const float sum = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) atomicAdd(total, sum);
}
