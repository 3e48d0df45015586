// Thread 0 reads the slots one after another. Eight loads of one lane instead of one of eight lanes, and no
// second tree.
#pragma once

#define sum_shuffle_atomic solved_sum_shuffle_atomic  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle_atomic

__global__ void sum_shuffle_atomic(const float* in, float* total, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_sum(thread_sum(in, n));
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int other = 1; other < kWarps; ++other) sum += warp_sums[other];
  atomicAdd(total, sum);
}
