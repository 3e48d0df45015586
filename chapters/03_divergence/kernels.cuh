// Chapter 03 · Divergence
// Question  A block of chapter 02 adds 128 pairs on its first level. Four warps have lanes enough for that. Why do
//           all eight warps have lanes that add, on this level and on the next four?
// Change    Chapter 02 gives a pair to the thread that owns its left element. Give the pairs to the first
//           threads instead, one each: then the threads that add are neighbours, and they fill whole warps.
// Asked     the same sums; on each level, no more working warps than the additions fill. Then the same for short
//           rows in sum_rows, whose TODO does not tell you how.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so every index fits in an int.
inline constexpr int kBlock = 256;  // threads per block, elements per tile
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
    // TODO(you): thread t adds if it owns the left element of a pair. Give the pairs of the level to the first
    // threads instead, one each. Where in the tile does the pair of thread t begin, and which threads have none?
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel

inline constexpr int kRow = 32;                        // elements per row
inline constexpr int kRowsPerBlock = kBlock / kRow;  // rows that a block of sum_rows adds up

// Sums each row of kRow elements of in[0, n) into row_sums. The last row may be shorter; an empty input has one row,
// which sums to 0. max(1, ceil(n / kBlock)) blocks of kBlock threads, for kRowsPerBlock rows each.
// ANCHOR: rows
__global__ void sum_rows(const float* in, float* row_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  __shared__ float tile[kBlock];
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // the tile is complete before any thread reads another's element

  // TODO(you): as shipped, each warp adds up one row. The sums are right, but on every level all warps of the block
  // add, each with fewer lanes than before. On each level, use only as many warps as its additions fill.
  const int lane = t % kRow;
  for (int len = 1; len < kRow; len *= 2) {
    if (lane % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (lane == 0 && (i < n || i == 0)) row_sums[i / kRow] = tile[t];
}
// ANCHOR_END: rows
// SPDX-License-Identifier: MIT
