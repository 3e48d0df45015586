// rejected: wrong result
// The largest level is that of 256 pairs, as in versions from the time when a block had at most 512 threads.
// With 1024 threads the upper half of the tile is never added.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__device__ float sum_of_last_warp(float* tile, int t) {
  float sum = tile[t] + tile[t + 32];
  for (int stride = 16; stride > 0; stride /= 2) {
    tile[t] = sum;
    __syncwarp();
    sum += tile[t + stride];
    __syncwarp();
  }
  return sum;
}

__global__ void sum_unrolled_by_hand(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * kBlock + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();
  if (t < 128) tile[t] += tile[t + 128];
  __syncthreads();
  if (t < 64) tile[t] += tile[t + 64];
  __syncthreads();
  if (t < 32) {
    sum = sum_of_last_warp(tile, t);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}

// ANCHOR: kernel
template <int kThreads>
__global__ void sum_unrolled(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * kThreads + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreads < n) sum += in[i + kThreads];
  tile[t] = sum;
  __syncthreads();
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
  if (t < 32) {
    sum = sum_of_last_warp(tile, t);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
