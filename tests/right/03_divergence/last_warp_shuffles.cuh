// stretch: reached
// Two levels in the tile, until every pair of pairs belongs to warp 0, which adds two elements a lane and
// shuffles.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = 1; len <= 2; len *= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[left] += tile[left + len];
    __syncthreads();
  }
  if (t >= 32) return;
  float sum = tile[8 * t] + tile[8 * t + 4];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (t == 0) block_sums[blockIdx.x] = sum;
}
