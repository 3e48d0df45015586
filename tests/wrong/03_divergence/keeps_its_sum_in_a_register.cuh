// rejected: wrong result
// The running sum stays in a register, as it may when thread t always works at tile[t]. Here thread t works
// at another element on every level, and its register holds the sum of a different pair.
#pragma once

#define sum_strided solved_sum_strided  // what is not defined below is the solution's
#include "../../../solutions/03_divergence/kernels.cuh"
#undef sum_strided

// ANCHOR: kernel
__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = i < n ? in[i] : 0.0f;
  tile[t] = sum;
  __syncthreads();
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[left] = sum += tile[left + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
