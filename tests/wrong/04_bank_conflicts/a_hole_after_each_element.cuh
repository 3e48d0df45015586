// rejected: right, but it has
// An unused element after every element, since unused elements are said to help. Only even banks are used
// now, and half of the lanes queue.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[2 * kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[2 * t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[2 * t] += tile[2 * (t + stride)];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
