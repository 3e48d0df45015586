// A warp without work on a level skips it as a whole, and still comes to the barrier.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = kBlock / 2; len > 0; len >>= 1) {
    const bool warp_has_work = t / 32 * 32 < len;
    if (warp_has_work) {
      if (t < len) tile[t] += tile[t + len];
    }
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
