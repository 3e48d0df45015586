// rejected: right, but it shuffles
// The loop is the same for all lanes, so the shuffles in it are safe; but five shuffles for every element do
// what one addition in a register does.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  float mine = 0.0f;
  for (int first = blockIdx.x * kBlock; first < n; first += gridDim.x * kBlock) {
    const int i = first + threadIdx.x;
    mine += warp_sum(i < n ? in[i] : 0.0f);
  }
  const float sum = block_sum(threadIdx.x % 32 == 0 ? mine : 0.0f);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
