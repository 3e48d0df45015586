// rejected: never written
// A widely copied version: the array has a slot for each thread, and the test that should keep lanes away
// from slots without a warp compares with the number of threads. It is always true: 24 lanes add what was
// left in shared memory.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

// ANCHOR: kernel
__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kBlock];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_sum(thread_sum(in, n));
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();  // every warp's sum is written before the first warp reads it
  sum = threadIdx.x < kBlock ? warp_sums[lane] : 0.0f;
  if (warp == 0) sum = warp_sum(sum);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
