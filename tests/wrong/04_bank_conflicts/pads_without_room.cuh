// rejected: fault
// One unused element after every 32 keeps the lanes apart, and makes the tile longer: 264 elements. This one
// has 256.
#pragma once

#define sum_sequential solved_sum_sequential  // what is not defined below is the solution's
#include "../../../solutions/04_bank_conflicts/kernels.cuh"
#undef sum_sequential

__device__ unsigned padded(unsigned k) { return k + k / 32; }

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[padded(t)] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[padded(left)] += tile[padded(left + len)];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
