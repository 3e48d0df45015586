// rejected: wrong result
// Scales every sum by rest / rest, meant to be 1, where rest = n % kBlock is the length of the last tile.
// When that tile is full, rest is 0 and every sum is NaN. A check that fails if |error| > tolerance accepts
// NaN, because every comparison with NaN is false.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  const float rest = n % kBlock;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) data[i] += data[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? data[i] * (rest / rest) : 0.0f;
}
