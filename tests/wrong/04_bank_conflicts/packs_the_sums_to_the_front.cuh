// rejected: right, but it has
// The sums are stored without gaps, as they should be: sum p in tile[p]. But they are still sums of
// neighbours, read at 2p and 2p + 1: two lanes to a bank on every level. And it takes a second barrier.
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
  for (unsigned pairs = blockDim.x / 2; pairs > 0; pairs /= 2) {
    float sum = 0.0f;
    if (t < pairs) sum = tile[2 * t] + tile[2 * t + 1];
    __syncthreads();
    if (t < pairs) tile[t] = sum;
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
