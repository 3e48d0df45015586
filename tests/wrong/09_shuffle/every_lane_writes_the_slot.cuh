// rejected: race
// All lanes of a warp write its slot, as if they all had the warp's sum. After shuffles down only lane 0 has
// it; which value stays is anybody's guess.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_sum(thread_sum(in, n));
  warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0.0f);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
