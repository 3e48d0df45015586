// A function for each level, which calls that of the next.
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

template <int kPairs>
__device__ void add_levels(float* tile, int t) {
  if constexpr (kPairs > 32) {
    if (t < kPairs) tile[t] += tile[t + kPairs];
    __syncthreads();
    add_levels<kPairs / 2>(tile, t);
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
  add_levels<kThreads / 2>(tile, t);
  if (t < 32) {
    sum = sum_of_last_warp(tile, t);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
// SPDX-License-Identifier: MIT
