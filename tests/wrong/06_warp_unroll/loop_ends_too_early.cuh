// rejected: wrong result
// The loop ends above 64 and the tail adds tile[t + 64], too: but 32 lanes reach 32 of those 64 elements
// only.
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
  for (unsigned stride = blockDim.x / 2; stride > 64; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    sum = tile[t];
    for (int stride = 64; stride > 0; stride /= 2) {
      sum += tile[t + stride];
      __syncwarp();
      tile[t] = sum;
      __syncwarp();
    }
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
