// rejected: race
// The names of thread and block index are swapped where the tile is used: all threads of a block write
// tile[block], one slot. With i and j for names, nothing in the text looks wrong.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

// ANCHOR: kernel
__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int i = threadIdx.x;
  const int j = blockIdx.x;
  tile[j % kBlock] = j * kBlock + i < n ? in[j * kBlock + i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (j % (2 * len) == 0) tile[j % kBlock] += tile[(j + len) % kBlock];
    __syncthreads();
  }
  if (i == 0) block_sums[j] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
