// Shuffles up: the sum arrives in lane 31, whose last thread of the last warp stores it.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = thread_sum(in, n);
  for (int distance = 1; distance < 32; distance *= 2) sum += __shfl_up_sync(kAllLanes, sum, distance);
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  if (warp != kWarps - 1) return;
  sum = lane < kWarps ? warp_sums[lane] : 0.0f;
  for (int distance = 1; distance < 32; distance *= 2) sum += __shfl_up_sync(kAllLanes, sum, distance);
  if (lane == 31) block_sums[blockIdx.x] = sum;
}
