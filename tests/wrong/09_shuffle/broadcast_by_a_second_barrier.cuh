// rejected: right, but it writes shared memory 9 times
// Thread 0 writes the block's sum to shared memory, and the block waits once more. Right; the butterfly
// leaves the sum in all threads after one wait.
#pragma once

#define sum_butterfly solved_sum_butterfly  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_butterfly

__global__ void sum_butterfly(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_sum(thread_sum(in, n));
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0.0f);
  __shared__ float total;
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  if (threadIdx.x == kBlock - 1) block_sums[blockIdx.x] = total;
}
