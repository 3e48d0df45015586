// rejected: right, but it writes global memory
// The tree is in shared memory and each finished tile is written back over the input, as the kernel
// before did. The sums are right; the input is gone, and 8 stores a block were for nothing.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (i < n) in[i] = tile[t];
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
