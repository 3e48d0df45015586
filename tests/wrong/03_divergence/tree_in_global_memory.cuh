// rejected: right, but it reads global memory
// The index is the new one and the array the old one: neighbours are packed into whole warps, and every
// partial sum travels through global memory as in chapter 01.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(float* in, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int first = blockIdx.x * kBlock;
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x && first + left + len < n) in[first + left] += in[first + left + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = first < n ? in[first] : 0.0f;
}
