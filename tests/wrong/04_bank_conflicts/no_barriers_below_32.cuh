// rejected: race
// From stride 16 on one warp works, and its barriers are dropped, with nothing in their place. The lanes of a
// warp may run apart since compute capability 7.0; chapter 06 does it rightly.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    if (stride > 16) __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
