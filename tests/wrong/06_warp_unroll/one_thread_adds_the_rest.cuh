// rejected: right, but it reads shared memory 76 times a block
// From 64 elements on thread 0 adds alone: no barrier, no race, and 63 additions in a row where 6 levels
// would do.
#pragma once

#define sum_warp_tail solved_sum_warp_tail  // what is not defined below is the solution's
#include "../../../solutions/06_warp_unroll/kernels.cuh"
#undef sum_warp_tail

__global__ void sum_warp_tail(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElements + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t > 0) return;
  sum = tile[0];
#pragma unroll 1
  for (int k = 1; k < 64; ++k) sum += tile[k];
  block_sums[blockIdx.x] = sum;
}
// SPDX-License-Identifier: MIT
