// rejected: race
// While len < 32 both elements belong to one warp, so the barrier is skipped. The lanes of a warp may run apart since
// compute capability 7.0: they need __syncwarp(). Right as long as they happen to run together.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    if (len >= 16) __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
