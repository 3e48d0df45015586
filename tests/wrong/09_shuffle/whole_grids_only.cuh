// rejected: wrong result
// The number of trips is n / threads, as if n were a multiple: a widely copied version needs that, and drops
// what is left over.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  const int threads = gridDim.x * kBlock;
  float mine = 0.0f;
  for (int k = 0; k < n / threads; ++k) mine += in[k * threads + blockIdx.x * kBlock + threadIdx.x];
  const float sum = block_sum(mine);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
