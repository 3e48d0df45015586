// rejected: wrong result
// With width 16 the distance 16 leads out of the group: each lane gets its own value and adds it a second
// time, and the upper half of the warp never reaches lane 0.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = thread_sum(in, n);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(kAllLanes, sum, distance, 16);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0.0f);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
