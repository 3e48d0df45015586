// The eight levels written out one by one by a helper function.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__device__ void add_level(float* tile, int t, int len) {
  if (t % (2 * len) == 0) tile[t] += tile[t + len];
  __syncthreads();
}

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  add_level(tile, t, 1);
  add_level(tile, t, 2);
  add_level(tile, t, 4);
  add_level(tile, t, 8);
  add_level(tile, t, 16);
  add_level(tile, t, 32);
  add_level(tile, t, 64);
  add_level(tile, t, 128);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
