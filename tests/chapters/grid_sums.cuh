// What chapter 08's kernels.cuh gives its learner, for those in tests/wrong and tests/right: they define the
// two templates declared here.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n);

template <int kThreads>
int blocks_for(int n, int wanted);

// Adds tile[0, kThreads) into tile[0]. The whole block calls it; thread t has written tile[t].
template <int kThreads>
__device__ void add_tile(float* tile, int t) {
  __syncthreads();  // the tile is complete before any thread reads another's element
#pragma unroll
  for (int stride = kThreads / 2; stride >= 64; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
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

template <int kThreads>
void sum_all(const float* d_in, float* d_scratch, float* d_sum, int n, int wanted) {
  int blocks = blocks_for<kThreads>(n, wanted);
  while (blocks > 1) {
    sum_grid_stride<kThreads><<<blocks, kThreads>>>(d_in, d_scratch, n);
    d_in = d_scratch;
    d_scratch += blocks;
    n = blocks;
    blocks = blocks_for<kThreads>(n, 1);
  }
  sum_grid_stride<kThreads><<<1, kThreads>>>(d_in, d_sum, n);
}
// SPDX-License-Identifier: MIT
