// Chapter 07 · Full unroll
// Question  The loop over the tree's levels halves a stride, compares and jumps. What is left at run time if
//           the compiler does all of that?
// Change    Chapter 06 is for 256 threads. To allow any number, the starter's loop asks blockDim.x how many
//           levels there are. Write each level out: by hand for 256 threads, then in a template that knows its
//           number of threads, and so its levels, when it is compiled.
// Asked     the same sums, barriers and accesses with 64 to 1024 threads; no warp may execute a branch to find out
//           whether there is another level. The page has the numbers.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so every index fits an int, even one that lies a tile past the end.
inline constexpr int kBlock = 256;  // threads per block where the kernel fixes the number

// The last six levels, as in chapter 06. Lane 0 gets the sum of tile[0, 64); other lanes get meaningless
// values. All lanes of the block's first warp call it, after a barrier, with t = 0 … 31.
// ANCHOR: last_warp
__device__ float sum_of_last_warp(float* tile, int t) {
  float sum = tile[t] + tile[t + 32];  // needs no wait: no other lane writes these two
#pragma unroll
  for (int stride = 16; stride > 0; stride /= 2) {
    tile[t] = sum;
    __syncwarp();  // every lane's sum is in the tile before another lane reads it
    sum += tile[t + stride];
    __syncwarp();  // every lane has read before the next level overwrites the tile
  }
  return sum;
}
// ANCHOR_END: last_warp

// Sums each stretch of 2 * kBlock elements of in[0, n) into block_sums[blockIdx.x], for 256 threads and no
// other number. max(1, ceil(n / (2 * kBlock))) blocks of kBlock threads.
// ANCHOR: by_hand
__global__ void sum_unrolled_by_hand(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * kBlock + t;  // my first element
  float sum = i < n ? in[i] : 0.0f;           // 0 adds nothing where the input has ended
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's sum

  // TODO(you): unroll by hand. 256 threads have two levels here, of 128 and of 64 pairs. Replace the loop by these
  // two, one after the other, with the numbers written out and a barrier after each. Let a static_assert say
  // that kBlock is 256.
  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t < 32) {
    sum = sum_of_last_warp(tile, t);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
// ANCHOR_END: by_hand

// The same for kThreads threads a block: a stretch is 2 * kThreads elements.
// max(1, ceil(n / (2 * kThreads))) blocks of kThreads threads.
// ANCHOR: kernel
template <int kThreads>
__global__ void sum_unrolled(const float* in, float* block_sums, int n) {
  static_assert(kThreads == 64 || kThreads == 128 || kThreads == 256 || kThreads == 512 || kThreads == 1024,
                "a power of two: at least the last warp's 64 sums, at most what a block may have");
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * kThreads + t;  // my first element
  float sum = i < n ? in[i] : 0.0f;             // 0 adds nothing where the input has ended
  if (i + kThreads < n) sum += in[i + kThreads];
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's sum

  // TODO(you): unroll for every size: up to four levels, of 512, 256, 128 and 64 pairs. kThreads says which exist. Write
  // each as `if constexpr (…) { … }`, so that a level that does not exist leaves nothing behind, not even a barrier.
  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
  }

  if (t < 32) {
    sum = sum_of_last_warp(tile, t);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
