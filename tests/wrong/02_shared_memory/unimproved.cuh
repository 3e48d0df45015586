// rejected: right, but it reads global memory 95 times a block
// Chapter 01's kernel, handed in without its TODO: the sums are right and every partial sum still
// travels to global memory and back.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(float* in, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) in[i] += in[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? in[i] : 0.0f;
}
// SPDX-License-Identifier: MIT
