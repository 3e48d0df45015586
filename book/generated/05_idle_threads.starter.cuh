// Chapter 05 · Idle threads
// Question  On the first level of the tree, half of the threads add. The others never do. Could they do more?
// Change    In chapter 04 every thread loads one element. Let each load two, and add them on the way to the
//           tile: with half as many blocks (plan A), half as many threads per block (plan B), or twice as
//           many elements per block, side by side (plan C, on which chapter 06 builds).
// Asked     every element loaded once, and neighbouring elements by neighbouring lanes; half as many trees, or trees of
//           half the size. Then a plan D of your own, whose warps wait a quarter as often as plan C's.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so every index fits in an int, even one that lies a grid or a tile further on.
inline constexpr int kBlock = 256;  // threads per block in plans A and C, elements per block in plan B
static_assert(kBlock % 64 == 0 && (kBlock & (kBlock - 1)) == 0, "its half: whole warps, an even tree");

// TODO(you): plan B, 1 of 2. Half as many threads per block. A block still sums kBlock elements.
inline constexpr int kThreadsB = kBlock;  // threads per block in plan B

// TODO(you): plan C, 1 of 2. Twice as many elements per block. A block still has kBlock threads.
inline constexpr int kElementsC = kBlock;  // elements per block in plan C

// Chapter 04's tree: sums tile[0, threads) into tile[0]. All `threads` threads of the block call it,
// after a barrier.
__device__ void add_up_tile(float* tile, int threads) {
  const int t = threadIdx.x;
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
}

// Plan A: half the blocks. The second element lies as far beyond the first as the grid has threads, so a
// block sums two tiles that lie far apart; all block_sums together sum in[0, n).
// max(1, ceil(n / (2 * kBlock))) blocks of kBlock threads.
// ANCHOR: plan_a
__global__ void sum_half_the_blocks(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;      // my first element
  const int second = i + gridDim.x * kBlock;  // gridDim.x counts blocks; each has kBlock threads
  float sum = i < n ? in[i] : 0.0f;           // 0 adds nothing where the input has ended
  if (second < n) sum += in[second];
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's sum
  add_up_tile(tile, kBlock);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: plan_a

// Plan B: half the threads. Sums each tile of kBlock elements of in[0, n) into block_sums[blockIdx.x].
// max(1, ceil(n / kBlock)) blocks of kThreadsB threads.
// ANCHOR: plan_b
__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  // TODO(you): plan B, 2 of 2. Each thread has a second element in the block's tile, kThreadsB after its
  // first. Add it on the way to tile[t], unless it lies at n or beyond: the input may end between them.
  const int i = blockIdx.x * kBlock + t;  // my element
  tile[t] = i < n ? in[i] : 0.0f;

  __syncthreads();  // the tile is complete before any thread reads another's sum
  add_up_tile(tile, kThreadsB);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: plan_b

// Plan C: twice the elements. Sums each stretch of kElementsC elements of in[0, n) into
// block_sums[blockIdx.x]. max(1, ceil(n / kElementsC)) blocks of kBlock threads.
// ANCHOR: kernel
__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  // TODO(you): plan C, 2 of 2. The block's stretch is two tiles of kBlock elements, one after the other.
  // Thread t adds element t of each. Where does the stretch begin? Either element may lie at n or beyond.
  const int i = blockIdx.x * kBlock + t;  // my element
  tile[t] = i < n ? in[i] : 0.0f;

  __syncthreads();  // the tile is complete before any thread reads another's sum
  add_up_tile(tile, kBlock);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel

// Plan D: more elements per thread. Sums each stretch of kElementsD elements of in[0, n) into block_sums[blockIdx.x].
// max(1, ceil(n / kElementsD)) blocks of kThreadsD threads; kElementsD is at most kMostElementsD.
inline constexpr int kMostElementsD = 4096;  // so that enough blocks remain to fill a GPU
// TODO(you): plan D, 1 of 2. For the same number of elements, warps should wait a quarter as often as in plan C. How many
// threads and how many elements must a block have for that?
inline constexpr int kThreadsD = kBlock;
inline constexpr int kElementsD = kBlock;

// ANCHOR: plan_d
__global__ void sum_many_each(const float* in, float* block_sums, int n) {
  // TODO(you): plan D, 2 of 2. Write the kernel for your two constants.
  __shared__ float tile[kThreadsD];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsD + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // the tile is complete before any thread reads another's sum
  add_up_tile(tile, kThreadsD);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: plan_d
// SPDX-License-Identifier: MIT
