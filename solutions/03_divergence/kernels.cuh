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
    const unsigned left = 2 * len * t;  // pair t of this level: elements left and left + len
    if (left < blockDim.x) tile[left] += tile[left + len];
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

  for (int len = 1; len < kRow; len *= 2) {
    const int left = 2 * len * t;  // pair t, counted across all rows: no pair reaches into another row
    if (left < kBlock) tile[left] += tile[left + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  const int row = blockIdx.x * kRowsPerBlock + t;  // each of the first threads stores one row's sum
  if (t < kRowsPerBlock && (row == 0 || row * kRow < n)) row_sums[row] = tile[kRow * t];
}
// ANCHOR_END: rows
// SPDX-License-Identifier: MIT
