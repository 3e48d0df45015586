// stretch: reached
// The tail shuffles: no tile, no __syncwarp(). Chapter 09's, a few chapters early.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;
inline constexpr int kElements = 2 * kBlock;

__global__ void sum_warp_tail(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElements + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t >= 32) return;
  sum = tile[t] + tile[t + 32];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (t == 0) block_sums[blockIdx.x] = sum;
}
