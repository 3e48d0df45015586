// rejected: fault
// The distance is an 8-bit number: 2 * 128 is 0 there, 0 is less than kBlock, and the loop never ends.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (unsigned char len = 1; int(len) < kBlock; len *= 2) {
    if ((t & (2 * len - 1)) == 0 && i + len < n) data[i] += data[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? data[i] : 0.0f;
}
