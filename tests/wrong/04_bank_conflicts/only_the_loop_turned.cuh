// rejected: wrong result
// The loop runs from 128 down to 1, and the index is still 2 * len * t. tile[0] gets tile[128], then
// tile[64], tile[32] …: nine elements, none of which is the sum of any others.
#pragma once

#define sum_sequential solved_sum_sequential  // what is not defined below is the solution's
#include "../../../solutions/04_bank_conflicts/kernels.cuh"
#undef sum_sequential

// ANCHOR: kernel
__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = blockDim.x / 2; len > 0; len /= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[left] += tile[left + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
