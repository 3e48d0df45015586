// rejected: race
// volatile, and the barrier skipped in the loop from 16 on. While lanes run together it works; nothing makes
// them.
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
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = tile[t] + tile[t + stride];
    if (stride > 16) __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
