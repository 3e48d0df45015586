// rejected: race
// The habit of old GPUs: inside a warp no barrier, but a volatile tile. Every value is read from the tile and
// written to it, and no lane waits for another. Right as long as the lanes of a warp happen to run together.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  volatile __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] = tile[t] + tile[t + len];
    if (len >= 16) __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
