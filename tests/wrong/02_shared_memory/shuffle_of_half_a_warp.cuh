// rejected: fault
// Only lanes with a partner shuffle, and the mask says that all 32 do: the 16 that call wait for lanes that never
// come.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kBlock / 32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = i < n ? in[i] : 0.0f;
  for (int distance = 16; distance > 0; distance /= 2)
    if (t % 32 < distance) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (t % 32 == 0) warp_sums[t / 32] = sum;
  __syncthreads();
  if (t > 0) return;
  for (int warp = 1; warp < kBlock / 32; ++warp) warp_sums[0] += warp_sums[warp];
  block_sums[blockIdx.x] = warp_sums[0];
}
// SPDX-License-Identifier: MIT
