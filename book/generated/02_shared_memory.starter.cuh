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
// TODO(you): the kernel must not change its input. Say so: const float* in.
__global__ void sum_tile(float* in, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;  // my element; i >= n in the tail of the last block
  // TODO(you): give the block a tile, __shared__ float tile[kBlock], and let its threads fill all of it.

  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    // TODO(you): run the tree in the tile.
    if (t % (2 * len) == 0 && i + len < n) in[i] += in[i + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  // TODO(you): take the sum from the tile.
  if (t == 0) block_sums[blockIdx.x] = i < n ? in[i] : 0.0f;
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
