// 64-bit indices, and the running sum stays in a register between the levels.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const unsigned t = threadIdx.x;
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + t;
  float mine = 0.0f;
  if (i < static_cast<size_t>(n)) mine = in[i];
  tile[t] = mine;
  for (unsigned len = 1; len < blockDim.x; len <<= 1) {
    __syncthreads();
    if ((t & (2 * len - 1)) == 0) tile[t] = mine += tile[t + len];
  }
  if (t == 0) block_sums[blockIdx.x] = mine;
}
// SPDX-License-Identifier: MIT
