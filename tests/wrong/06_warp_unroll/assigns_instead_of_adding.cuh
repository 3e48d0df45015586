// rejected: wrong result
// A widely shown slide writes = where += is meant. The tail hands elements down instead of adding: the
// block's sum is the one of the 64 that lay at index 63.
#pragma once

#define sum_warp_tail solved_sum_warp_tail  // what is not defined below is the solution's
#include "../../../solutions/06_warp_unroll/kernels.cuh"
#undef sum_warp_tail

// ANCHOR: kernel
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
  if (t < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      const float other = tile[t + stride];
      __syncwarp();
      tile[t] = other;
      __syncwarp();
    }
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
