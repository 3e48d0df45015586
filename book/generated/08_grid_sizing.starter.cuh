// Chapter 08 · Grid sizing
// Question  Chapter 07 needs a block for every 512 elements: 2048 trees and block sums for 2^20 floats. What
//           if the number of blocks were ours to choose?
// Change    A thread of chapter 07 adds two elements. Let it go on through the array, a whole grid at a time.
// Asked     right sums in a grid of any size; as many blocks as the caller wants; one tree per block, however many
//           elements a thread adds; the running sum in a register.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, and a grid has at most 2^30 threads.
inline constexpr int kBlock = 256;  // threads a block, unless a launch says otherwise: 64, 128 … 1024

// Chapter 07's tree: leaves the sum of tile[0, kThreads) in tile[0]. The whole block calls it; each thread t
// has written tile[t] before.
template <int kThreads>
__device__ void add_tile(float* tile, int t) {
  static_assert(kThreads >= 64 && kThreads <= 1024 && (kThreads & (kThreads - 1)) == 0,
                "64, 128 … 1024 threads");
  __syncthreads();  // the tile is complete before any thread reads another's element
  if constexpr (kThreads >= 1024) {
    if (t < 512) tile[t] += tile[t + 512];
    __syncthreads();  // this level's sums are written before the next level reads them; likewise below
  }
  if constexpr (kThreads >= 512) {
    if (t < 256) tile[t] += tile[t + 256];
    __syncthreads();
  }
  if constexpr (kThreads >= 256) {
    if (t < 128) tile[t] += tile[t + 128];
    __syncthreads();
  }
  if constexpr (kThreads >= 128) {
    if (t < 64) tile[t] += tile[t + 64];
    __syncthreads();
  }
  if (t >= 32) return;
#pragma unroll
  for (int stride = 32; stride > 0; stride /= 2) {
    const float other = tile[t + stride];
    __syncwarp();  // every lane has read before any lane overwrites what another reads
    tile[t] += other;
    __syncwarp();  // every lane has written before the next level reads
  }
}

// Sums in[0, n) into gridDim.x sums: thread k of the whole grid adds the elements k, k + stride, k + 2 *
// stride …, where stride is the number of threads in the grid. Right for any n and any grid; a block that has
// no element writes 0. kThreads threads a block.
// ANCHOR: kernel
template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;

  // TODO(you): this thread adds two elements, kThreads apart, so a block adds 2 * kThreads. Replace that with a loop that
  // works for any grid: in each round the threads of the grid take neighbouring elements, one each. Then all move on by
  // that many, until none are left. Keep the sum in `sum`, which is a register, and store it to the tile after the loop.
  const int i = blockIdx.x * 2 * kThreads + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreads < n) sum += in[i + kThreads];

  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel

// The number of blocks that sum n elements; each leaves one sum. The caller would like `wanted` blocks
// (at least 1, and wanted * kThreads at most 2^30). An empty input gets a block, too: a launch must not be
// empty.
// ANCHOR: grid
template <int kThreads>
int blocks_for([[maybe_unused]] int n, [[maybe_unused]] int wanted) {
  // TODO(you): the kernel needs this many blocks as long as each sums 2 * kThreads elements. Your loop is
  // right for any grid: give the caller as many as it wants.
  return n == 0 ? 1 : (n - 1) / (2 * kThreads) + 1;
}
// ANCHOR_END: grid

// Sums d_in[0, n) into *d_sum. A launch of `wanted` blocks leaves their sums in d_scratch, and a launch of one
// block adds those up. A kernel that needs more blocks than that takes more launches. d_scratch has room
// for 2 * blocks_for<kThreads>(n, wanted) floats.
// ANCHOR: launches
template <int kThreads>
void sum_all(const float* d_in, float* d_scratch, float* d_sum, int n, int wanted) {
  int blocks = blocks_for<kThreads>(n, wanted);
  while (blocks > 1) {
    sum_grid_stride<kThreads><<<blocks, kThreads>>>(d_in, d_scratch, n);
    d_in = d_scratch;  // the next launch adds up these sums
    d_scratch += blocks;
    n = blocks;
    blocks = blocks_for<kThreads>(n, 1);
  }
  sum_grid_stride<kThreads><<<1, kThreads>>>(d_in, d_sum, n);
}
// ANCHOR_END: launches
// SPDX-License-Identifier: MIT
