// Chapter 04 · Bank conflicts
// Question  Which lanes of a warp meet in one bank of shared memory, and how do we keep them apart?
// Change    Chapter 03 adds neighbours first, so thread t adds to tile[2 * len * t]: ever larger steps through
//           the banks. Add the same elements in another order.
// Asked     no bank conflicts, and no more working warps than in chapter 03; the order of additions may change. Then
//           no bank conflicts in sum_rows either, where every lane has a row of its own.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so every index fits in an int.
inline constexpr int kBlock = 256;  // threads per block, elements per tile
static_assert(kBlock % 32 == 0 && (kBlock & (kBlock - 1)) == 0, "whole warps, and a tree that halves evenly");

// Sums each tile of kBlock elements of in[0, n) into block_sums[blockIdx.x].
// max(1, ceil(n / kBlock)) blocks of kBlock threads.
// ANCHOR: kernel
__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;  // my element; i >= n in the tail of the last block
  __shared__ float tile[kBlock];
  tile[t] = i < n ? in[i] : 0.0f;  // 0 adds nothing where the last tile is not full
  __syncthreads();  // the tile is complete before any thread reads another's element

  // TODO(you): the sums of a level lie 2 * len elements apart, so the lanes' banks lie 2, 4, 8 … apart. You choose
  // the order of additions. Choose pairs so that the sums of every level fill the front of the tile without gaps.
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;  // pair t of this level: elements left and left + len
    if (left < blockDim.x) tile[left] += tile[left + len];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel

inline constexpr int kRow = 32;             // elements per row
inline constexpr int kRowsPerBlock = 64;  // also the threads per block of sum_rows

// Sums each row of kRow elements of in[0, n) into row_sums. The last row may be shorter; an empty input has one row,
// which sums to 0. max(1, ceil(n / (kRowsPerBlock * kRow))) blocks of kRowsPerBlock threads.
// ANCHOR: rows
__global__ void sum_rows(const float* in, float* row_sums, int n) {
  // TODO(you): each thread adds up a row by itself: no tree, no barrier between additions, no idle lane. But look where the 32
  // lanes of a warp read at the same time. No two of them may read from the same bank. Still load each element only once.
  __shared__ float rows[kRowsPerBlock * kRow];  // the block's rows, one after the other
  const int t = threadIdx.x;
  const int first = blockIdx.x * kRowsPerBlock * kRow;  // the block's first element
  for (int k = t; k < kRowsPerBlock * kRow; k += kRowsPerBlock)  // 32 lanes load 32 neighbours
    rows[k] = first + k < n ? in[first + k] : 0.0f;
  __syncthreads();  // all rows are there before any thread reads its own
  float sum = 0.0f;
  for (int k = 0; k < kRow; ++k) sum += rows[t * kRow + k];
  const int row = blockIdx.x * kRowsPerBlock + t;
  if (row == 0 || row * kRow < n) row_sums[row] = sum;
}
// ANCHOR_END: rows
// SPDX-License-Identifier: MIT
