// stretch: reached
// Two levels with one barrier: a thread adds three elements to its own, and the tile shrinks to a quarter.
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
  if (t < 64) tile[t] += tile[t + 64] + (tile[t + 128] + tile[t + 192]);
  __syncthreads();
  if (t < 32) {
    sum = sum_of_last_warp(tile, t);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}

template <int kThreads>
__global__ void sum_unrolled(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * kThreads + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreads < n) sum += in[i + kThreads];
  tile[t] = sum;
  __syncthreads();
  if constexpr (kThreads >= 1024) {
    if (t < 256) tile[t] += tile[t + 256] + (tile[t + 512] + tile[t + 768]);
    __syncthreads();
  } else if constexpr (kThreads >= 512) {
    if (t < 256) tile[t] += tile[t + 256];
    __syncthreads();
  }
  if constexpr (kThreads >= 256) {
    if (t < 64) tile[t] += tile[t + 64] + (tile[t + 128] + tile[t + 192]);
    __syncthreads();
  } else if constexpr (kThreads >= 128) {
    if (t < 64) tile[t] += tile[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    sum = sum_of_last_warp(tile, t);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
// SPDX-License-Identifier: MIT
