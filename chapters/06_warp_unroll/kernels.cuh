// Chapter 06 · Unrolling the last warp
// Question  From stride 32 on only the first warp adds. Why do all eight warps come to six more barriers?
// Change    Chapter 05 keeps the whole block together down to the last level. Keep it together while several
//           warps add; then let the first warp do the rest alone, its lanes waiting for each other only.
// Expect    the same sums, to the bit; per block of 512 elements: barriers 72 -> 24, __syncwarp 0 -> 10,
//           shared loads 25 -> 19, shared stores 20 -> 19.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so that every index fits an int, and so does one a tile beyond it.
inline constexpr int kBlock = 256;            // threads a block, sums a tile
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
  if (i + kBlock < n) sum += in[i + kBlock];  // the same place in the second
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's sum

  // TODO(you): let the block wait only while more than one warp adds, that is, while stride > 32. After that
  // loop the lanes of the first warp (t < 32) do the levels 32, 16, 8, 4, 2 and 1 without __syncthreads().
  // Keep the lane's sum in a register; it begins with tile[t], as the loop left it. A lane stores it in
  // tile[t] where another lane is to read it, and reads another's from tile[t + stride]. Between a write and a
  // read of the same element by different lanes, in either order, comes __syncwarp(), called by all 32 lanes.
  // Thread 0 ends with the block's sum.
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
