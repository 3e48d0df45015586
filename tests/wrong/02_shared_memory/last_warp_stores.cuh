// rejected: race
// No level follows the last one, so its barrier seems useless; and the last thread of the block stores the sum. It
// may be there before thread 0 has added the two halves. A device that runs warps in order hides it.
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
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    if (2 * len < kBlock) __syncthreads();
  }
  if (t == kBlock - 1) block_sums[blockIdx.x] = tile[0];
}
