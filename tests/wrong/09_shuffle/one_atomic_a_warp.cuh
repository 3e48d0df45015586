// rejected: right, but it makes 8 atomic requests
// Each warp adds its sum to the total, without shared memory and without a barrier: eight times as many
// additions at one address.
#pragma once

#define sum_shuffle_atomic solved_sum_shuffle_atomic  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle_atomic

__global__ void sum_shuffle_atomic(const float* in, float* total, int n) {
  const float sum = warp_sum(thread_sum(in, n));
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}
