// Chapter NN · Topic
// Question  A block loads each of its elements once. Why do its loads touch four times as many sectors as they need?
// Change    Lanes that are next to each other load elements that are next to each other.
// Asked     the same sums; each sector of the input is loaded once.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30, so that every index fits an int.
inline constexpr int kBlock = 256;            // threads per block
inline constexpr int kEach = 4;               // elements per thread
inline constexpr int kTile = kBlock * kEach;  // elements per block
static_assert(kBlock % 32 == 0 && (kBlock & (kBlock - 1)) == 0, "whole warps, and a tree that halves evenly");

// Sums each tile of kTile elements of in[0, n) into tile_sums[blockIdx.x].
// max(1, ceil(n / kTile)) blocks of kBlock threads.
// ANCHOR: kernel
__global__ void sum_tile(const float* in, float* tile_sums, int n) {
  const int t = threadIdx.x, first = blockIdx.x * kTile;

  // TODO(you): in each round k the 32 lanes of a warp load 32 neighbouring elements. Which element is thread t's?
  float sum = 0.0f;
  for (int k = 0; k < kEach; ++k) {
    const int i = first + t * kEach + k;
    if (i < n) sum += in[i];
  }

  __shared__ float sums[kBlock];
  sums[t] = sum;
  __syncthreads();  // every thread's sum is there before any thread reads its neighbour's
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (t == 0) tile_sums[blockIdx.x] = sums[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
