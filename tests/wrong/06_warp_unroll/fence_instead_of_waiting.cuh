// rejected: race
// __threadfence_block() makes a lane's writes visible in order. It waits for nobody: the other lane may not
// have written yet.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;
inline constexpr int kElements = 2 * kBlock;

__global__ void sum_warp_tail(const float* in, float* block_sums, int n) {
  __shared__ volatile float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElements + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] = tile[t] + tile[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    tile[t] = tile[t] + tile[t + 32];
    __threadfence_block();
    tile[t] = tile[t] + tile[t + 16];
    __threadfence_block();
    tile[t] = tile[t] + tile[t + 8];
    __threadfence_block();
    tile[t] = tile[t] + tile[t + 4];
    __threadfence_block();
    tile[t] = tile[t] + tile[t + 2];
    __threadfence_block();
    tile[t] = tile[t] + tile[t + 1];
    __threadfence_block();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
