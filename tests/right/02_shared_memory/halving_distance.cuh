// Sequential addressing, a chapter early: thread t adds the element half a tile away, then a quarter.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = kBlock / 2; len > 0; len /= 2) {
    if (t < len) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
