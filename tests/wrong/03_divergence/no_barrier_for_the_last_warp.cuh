// rejected: race
// From len = 4 on only warp 0 works, and the barrier is skipped. Its lanes read each other's sums, and the
// lanes of a warp may run apart since compute capability 7.0.
#pragma once

#define sum_strided solved_sum_strided  // what is not defined below is the solution's
#include "../../../solutions/03_divergence/kernels.cuh"
#undef sum_strided

// ANCHOR: kernel
__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[left] += tile[left + len];
    if (len < 4) __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
