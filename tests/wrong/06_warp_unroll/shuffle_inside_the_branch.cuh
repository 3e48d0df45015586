// rejected: shuffle
// The tail shuffles, and a lane shuffles only while it adds: it asks lanes for their sums that do not take
// part.
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
  if (t < 32) {
    sum = tile[t] + tile[t + 32];
    for (int stride = 16; stride > 0; stride /= 2)
      if (t < stride) sum += __shfl_down_sync(__activemask(), sum, stride);
    if (t == 0) block_sums[blockIdx.x] = sum;
  }
}
