// rejected: race
// __syncwarp() waits for the lanes of one warp; the slots were written by eight.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_sum(thread_sum(in, n));
  if (lane == 0) warp_sums[warp] = sum;
  __syncwarp();
  if (warp == 0) sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0.0f);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
