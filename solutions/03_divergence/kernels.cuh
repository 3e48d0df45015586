// Chapter 03 · Divergence
// Question  A block of chapter 02 adds 128 pairs on its first level. Four warps have that many lanes. Why do
//           all eight warps come to add, on this level and on the next four?
// Change    Chapter 02 gives a pair to the thread that owns its left element. Give pair p to thread p: then
//           the threads that add are neighbours, and fill whole warps.
// Expect    the same sums, bit for bit; warps that add, over all levels of a block, 47 -> 12; shared loads
//           per block 95 -> 25 requests, stores 55 -> 20; divergent branches 48 -> 6. And 105 bank conflicts,
//           where there were none: they are chapter 04's.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so that every index fits an int.
inline constexpr int kBlock = 256;  // threads a block, elements a tile
static_assert(kBlock % 32 == 0 && (kBlock & (kBlock - 1)) == 0, "whole warps, and a tree that halves evenly");

// Sums each tile of kBlock elements of in[0, n) into block_sums[blockIdx.x].
// max(1, ceil(n / kBlock)) blocks of kBlock threads.
// ANCHOR: kernel
__global__ void sum_strided(const float* in, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;  // my element; i >= n in the tail of the last block
  __shared__ float tile[kBlock];
  tile[t] = i < n ? in[i] : 0.0f;  // 0 adds nothing where the last tile is not full
  __syncthreads();  // the tile is complete before any thread reads another's element

  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;  // pair t of this level: elements left and left + len
    if (left < blockDim.x) tile[left] += tile[left + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
