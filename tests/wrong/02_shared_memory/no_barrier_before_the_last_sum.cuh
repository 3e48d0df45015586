// rejected: race
// Thread 0 adds eight sums, one a warp, and does not wait for the seven other warps to have written theirs.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  __shared__ float warp_sums[kBlock / 32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (t % 32 == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 32; ++k) sum += tile[t + k];
    warp_sums[t / 32] = sum;
  }
  if (t > 0) return;
  float sum = 0.0f;
  for (int warp = 0; warp < kBlock / 32; ++warp) sum += warp_sums[warp];
  block_sums[blockIdx.x] = sum;
}
// SPDX-License-Identifier: MIT
