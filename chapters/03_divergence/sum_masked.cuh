// Chapter 02's kernel with one change: the last bits of t show whether t is a multiple of 2 * len. Chapter 03
// gets rid of two things at once, the remainder and the idle lanes. This kernel separates them: it still has
// the idle lanes, but no remainder.
#pragma once

#include <cuda_runtime.h>

// Sums each tile of blockDim.x elements (256) of in[0, n) into block_sums[blockIdx.x].
// ANCHOR: kernel
__global__ void sum_masked(const float* in, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  __shared__ float tile[256];
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // the tile is complete before any thread reads its neighbour's element

  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned mask = 2 * len - 1;  // 2 * len is a power of two, so t & mask is t % (2 * len)
    if ((t & mask) == 0) tile[t] += tile[t + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
