// rejected: right, but it reads shared memory
// Each warp sums its own 32 elements by halving the distance, and thread 0 the eight sums. No conflict; but
// all eight warps work on five levels where four, two, one would do.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  const int lane = t % 32;
  for (int stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) tile[t] += tile[t + stride];
    __syncwarp();
  }
  __syncthreads();
  if (t > 0) return;
  float sum = 0.0f;
  for (int warp = 0; warp < kBlock / 32; ++warp) sum += tile[32 * warp];
  block_sums[blockIdx.x] = sum;
}
