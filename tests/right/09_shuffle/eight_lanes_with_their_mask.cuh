// The last reduction has as many lanes as there are slots, and a mask and a width that say so.
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
  if (threadIdx.x < kWarps) {
    sum = warp_sums[threadIdx.x];
    for (int distance = kWarps / 2; distance > 0; distance /= 2)
      sum += __shfl_down_sync((1u << kWarps) - 1, sum, distance, kWarps);
  }
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
