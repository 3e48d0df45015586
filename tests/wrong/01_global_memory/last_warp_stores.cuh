// rejected: race
// No level follows the last one, so its barrier seems useless; and the last thread of the block stores the sum. It
// may be there before thread 0 has added the two halves. A device that runs warps in order hides it.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) data[i] += data[i + len];
    if (2 * len < kBlock) __syncthreads();
  }
  const int first = blockIdx.x * kBlock;
  if (t == kBlock - 1) block_sums[blockIdx.x] = first < n ? data[first] : 0.0f;
}
