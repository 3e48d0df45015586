// Chapter 04 · Bank conflicts
// Question  Which lanes of a warp meet in one bank of shared memory, and how do we keep them apart?
// Change    Chapter 03 adds neighbours first, so thread t works at 2 * len * t: ever larger steps through the
//           banks. Add elements half a tile apart first, then a quarter: thread t works at t and t + stride.
// Expect    as many additions by as few warps; bank conflicts per block 105 -> 0, wavefronts of shared loads
//           95 -> 25, of stores 55 -> 20. The order of additions changes, so the last bits of a sum may.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so that every index fits an int.
inline constexpr int kBlock = 256;  // threads a block, elements a tile
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

  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];  // lanes t, t + 1, … touch banks t, t + 1, …
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
