// rejected: never written
// Threads beyond n return before the barrier, "since they have nothing to do". A thread that has left holds up no
// barrier, so nothing hangs here; but it should have written the zero that its neighbour adds.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

// ANCHOR: kernel
__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i >= n) return;
  tile[t] = in[i];
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
