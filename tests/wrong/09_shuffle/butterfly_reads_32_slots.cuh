// rejected: fault
// There are kWarps slots, and every lane reads the one with its own number.
#pragma once

#define sum_butterfly solved_sum_butterfly  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_butterfly

__global__ void sum_butterfly(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = thread_sum(in, n);
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  sum = warp_sums[lane];
  for (int mask = kWarps / 2; mask > 0; mask /= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask);
  if (threadIdx.x == kBlock - 1) block_sums[blockIdx.x] = sum;
}
