// No tree in shared memory at first: the 32 threads of warp 0 each add a column of eight, and then halve the
// distance.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (t >= 32) return;
  float sum = tile[t];
  for (int row = 1; row < kBlock / 32; ++row) sum += tile[32 * row + t];
  for (int distance = 16; distance > 0; distance /= 2) {
    tile[t] = sum;
    __syncwarp();
    if (t < distance) sum += tile[t + distance];
    __syncwarp();
  }
  if (t == 0) block_sums[blockIdx.x] = sum;
}
