// From 32 elements on one warp is left, and __syncwarp() is enough: between reading and writing, and after writing.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = kBlock / 2; len >= 32; len /= 2) {
    if (t < len) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t >= 32) return;
  for (int len = 16; len > 0; len /= 2) {
    const float sum = tile[t] + tile[t + len];
    __syncwarp();
    tile[t] = sum;
    __syncwarp();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
