// The tile is of double, and 64-bit indices count from the end: more exact than it must be.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ double tile[kBlock];
  const long long t = threadIdx.x;
  const long long i = 1ll * blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? in[i] : 0.0;
  __syncthreads();
  for (long long len = 1; len < kBlock; len *= 2) {
    const long long mine = kBlock - 1 - t;
    if (t % (2 * len) == 0) tile[mine] += tile[mine - len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = static_cast<float>(tile[kBlock - 1]);
}
// SPDX-License-Identifier: MIT
