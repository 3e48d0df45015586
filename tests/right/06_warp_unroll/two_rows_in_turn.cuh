// The levels of the tail alternate between two rows, so that nothing is overwritten that a lane may still
// read: one wait a level. Every lane ends with the sum.
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
  __shared__ float rows[2][32];
  if (t >= 32) return;
  sum = tile[t] + tile[t + 32];
  int row = 0;
  for (int stride = 16; stride > 0; stride /= 2) {
    rows[row][t] = sum;
    __syncwarp();
    sum += rows[row][t ^ stride];
    row = 1 - row;
  }
  if (t == 31) block_sums[blockIdx.x] = sum;
}
