// Every lane adds the value of the lane 16, 8, 4, 2, 1 further on, around the end of the warp: all lanes
// have the sum.
#pragma once

#define sum_butterfly solved_sum_butterfly  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_butterfly

__global__ void sum_butterfly(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = thread_sum(in, n);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_sync(kAllLanes, sum, lane + distance);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  sum = lane < kWarps ? warp_sums[lane] : 0.0f;
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_sync(kAllLanes, sum, lane + distance);
  if (threadIdx.x == kBlock - 1) block_sums[blockIdx.x] = sum;
}
