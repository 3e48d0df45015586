// rejected: wrong result
// A butterfly leaves the warp's sum in all of its lanes, and all of them add it to the total: 32 times too
// much.
#pragma once

#define sum_shuffle_atomic solved_sum_shuffle_atomic  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle_atomic

__global__ void sum_shuffle_atomic(const float* in, float* total, int n) {
  float sum = thread_sum(in, n);
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask);
  atomicAdd(total, sum);
}
