// rejected: race
// The distance to the neighbour is 2 * len, the distance between the threads that add, instead of len.
// The condition of the branch has 2 * len in it, and one copies what one sees. Odd elements are never
// added, and what a thread adds, its owner changes on the same level.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && t + 2 * len < kBlock) tile[t] += tile[t + 2 * len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
