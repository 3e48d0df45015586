// rejected: race
// Each level ends with __syncwarp(), and none separates reading from writing: lane 16 may overwrite its
// element before lane 0 has read it. All 32 lanes add on every level, so element t + stride has an owner who
// writes.
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
    tile[t] += tile[t + 32];
    __syncwarp();
    tile[t] += tile[t + 16];
    __syncwarp();
    tile[t] += tile[t + 8];
    __syncwarp();
    tile[t] += tile[t + 4];
    __syncwarp();
    tile[t] += tile[t + 2];
    __syncwarp();
    tile[t] += tile[t + 1];
    __syncwarp();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
