// Chapter 06 · Unrolling the last warp
// Question  From stride 32 on only the first warp adds. Why do all eight warps wait at six more barriers?
// Change    Chapter 05 keeps the whole block together down to the last level. Keep it together while several
//           warps add; then let the first warp do the rest alone: its lanes wait only for each other.
// Asked     the same sums, whichever lane comes first; the whole block waits only while several warps add; no more
//           accesses to shared memory than in chapter 05. Then sum_by_warps, where no warp waits for another.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so every index fits an int, even one that lies a tile past the end.
inline constexpr int kBlock = 256;            // threads per block, and sums per tile
inline constexpr int kElements = 2 * kBlock;  // elements a block
static_assert(kBlock >= 64 && (kBlock & (kBlock - 1)) == 0, "two warps or more, and an even tree");

// Sums each stretch of kElements elements of in[0, n) into block_sums[blockIdx.x].
// max(1, ceil(n / kElements)) blocks of kBlock threads.
// ANCHOR: kernel
__global__ void sum_warp_tail(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElements + t;  // in the first of the block's two tiles
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];  // my element in the second tile
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's sum

  // TODO(you): let the block wait only while more than one warp adds. Then the first warp does the levels that are left,
  // alone and without __syncthreads(). Its lanes must still wait for each other: if two of them access an element and one
  // of these accesses is a write, all 32 lanes call __syncwarp() in between.
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel

inline constexpr int kWarps = kBlock / 32;     // warps a block
inline constexpr int kWarpElements = 2 * 32;  // elements per warp in sum_by_warps

// Every warp for itself: sums each stretch of kWarpElements elements of in[0, n) into warp_sums. Warp w of a block has
// stretch blockIdx.x * kWarps + w. The last stretch may be shorter; an empty input has one stretch, whose sum is 0.
// max(1, ceil(n / kElements)) blocks of kBlock threads.
// ANCHOR: by_warps
__global__ void sum_by_warps(const float* in, float* warp_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int lane = t % 32;
  const int stretch = blockIdx.x * kWarps + t / 32;
  const int i = stretch * kWarpElements + lane;  // the lane's first element
  float sum = i < n ? in[i] : 0.0f;
  if (i + 32 < n) sum += in[i + 32];

  // TODO(you): no warp needs another here, yet the whole block waits on each level. Let no warp wait for another, and let a
  // lane load and store at most once per level.
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's sum
  for (int stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (lane == 0 && (stretch == 0 || i < n)) warp_sums[stretch] = tile[t];
}
// ANCHOR_END: by_warps
// SPDX-License-Identifier: MIT
