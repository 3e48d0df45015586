// rejected: fault
// The warp is summed inside the loop over the grid, whose trip count depends on the thread: in the last trip
// some lanes have left, and the mask names all 32.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

// ANCHOR: kernel
__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = 0.0f;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) sum += warp_sum(in[i]);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();  // every warp's sum is written before the first warp reads it
  if (warp == 0) sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0.0f);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
