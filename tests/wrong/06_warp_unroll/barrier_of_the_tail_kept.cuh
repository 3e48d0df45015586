// rejected: right, but it makes warps wait at a barrier 32 times a block
// The loop goes down to stride 32, level 32 included, and the tail starts at 16. Right; but on the level of
// 32 only one warp adds, and eight wait.
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
  for (unsigned stride = blockDim.x / 2; stride >= 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    sum = tile[t];
    for (int stride = 16; stride > 0; stride /= 2) {
      tile[t] = sum;
      __syncwarp();
      sum += tile[t + stride];
      __syncwarp();
    }
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
