// Every warp by a butterfly, and every warp sums the slots, with width kWarps: no lane is special.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = thread_sum(in, n);
  for (int mask = 1; mask < 32; mask *= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  sum = warp_sums[lane % kWarps];
  for (int mask = 1; mask < kWarps; mask *= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask, kWarps);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
