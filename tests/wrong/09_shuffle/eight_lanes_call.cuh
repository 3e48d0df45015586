// rejected: fault
// Only as many lanes as there are slots call the last reduction, and its mask names 32: they wait for lanes
// that never come.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_sum(thread_sum(in, n));
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (threadIdx.x < kWarps) sum = warp_sum(warp_sums[lane]);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
