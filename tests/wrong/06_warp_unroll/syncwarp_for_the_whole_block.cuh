// rejected: race
// __syncwarp() on every level, while several warps add. It keeps the lanes of one warp together; the elements
// from 32 on belong to others.
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
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    const float other = t < stride ? tile[t + stride] : 0.0f;
    __syncwarp();
    tile[t] += other;
    __syncwarp();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
