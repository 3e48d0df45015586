// The tile is summed down to one warp, which goes on in registers, with shuffles.
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
  float sum = tile[t];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (t == 0) block_sums[blockIdx.x] = sum;
}
// SPDX-License-Identifier: MIT
