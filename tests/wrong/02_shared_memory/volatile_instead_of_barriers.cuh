// rejected: race
// volatile makes every read and write of the tile happen. It makes no thread wait for another, and a warp sums what
// other warps have not written.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  volatile __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] = tile[t] + tile[t + len];
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
