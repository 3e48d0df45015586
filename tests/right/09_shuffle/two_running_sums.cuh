// Two elements in flight a trip, in two registers; then the block as in the solution.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  const int step = gridDim.x * kBlock;
  float even = 0.0f, odd = 0.0f;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += 2 * step) {
    even += in[i];
    if (i + step < n) odd += in[i + step];
  }
  const float sum = block_sum(even + odd);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
