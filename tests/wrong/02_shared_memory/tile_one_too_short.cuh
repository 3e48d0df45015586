// rejected: fault
// The tile has one element less than the block has threads: the last index was taken for the length.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock - 1];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
