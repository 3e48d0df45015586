// One warp is left from stride 16 on: __syncwarp() between reading and writing, and after writing.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = kBlock / 2; stride >= 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t >= 32) return;
  for (int stride = 16; stride > 0; stride /= 2) {
    const float sum = tile[t] + tile[t + stride];
    __syncwarp();
    tile[t] = sum;
    __syncwarp();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
