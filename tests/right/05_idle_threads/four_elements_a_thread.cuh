// stretch: reached
// Four tiles a block in plan C and a quarter of the threads in plan B, in loops: further than the chapter
// asks.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#define sum_adjacent_tiles solved_sum_adjacent_tiles
#define kThreadsB solved_kThreadsB
#define kElementsC solved_kElementsC
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads
#undef sum_adjacent_tiles
#undef kThreadsB
#undef kElementsC

inline constexpr int kThreadsB = kBlock / 4;
inline constexpr int kElementsC = 4 * kBlock;

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = t; k < kBlock; k += kThreadsB) {
    const int i = blockIdx.x * kBlock + k;
    if (i < n) sum += in[i];
  }
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = t; k < kElementsC; k += kBlock) {
    const int i = blockIdx.x * kElementsC + k;
    if (i < n) sum += in[i];
  }
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
