// Chapter 02 · Shared memory
// Question  A block of chapter 01 could load its numbers in 8 requests, one per warp. Why does it make 95?
// Change    Chapter 01 kept its partial sums in global memory. Keep them in a tile of shared memory.
// Asked     the same sums from the same tree; an unchanged input; each element read from global memory once, and one
//           sum per block written there.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so every index fits in an int.
inline constexpr int kBlock = 256;  // threads per block, elements per tile
static_assert(kBlock % 32 == 0 && (kBlock & (kBlock - 1)) == 0, "whole warps, and a tree that halves evenly");

// Sums each tile of kBlock elements of in[0, n) into block_sums[blockIdx.x].
// max(1, ceil(n / kBlock)) blocks of kBlock threads.
// ANCHOR: kernel
__global__ void sum_tile(const float* in, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;  // my element; i >= n in the tail of the last block
  __shared__ float tile[kBlock];
  tile[t] = i < n ? in[i] : 0.0f;  // 0 adds nothing where the last tile is not full
  __syncthreads();  // the tile is complete before any thread reads its neighbour's element

  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
