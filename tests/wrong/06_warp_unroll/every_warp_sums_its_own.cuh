// rejected: right, but it reads shared memory 88 times a block
// Each warp sums its own 32 elements and waits only for itself: 16 barriers are enough. But all eight warps
// work on every level, as in chapter 02, and for each of five levels all of them load and store.
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
  for (int stride = 16; stride > 0; stride /= 2) {
    sum = tile[t];
    if (t % 32 < stride) sum += tile[t + stride];
    __syncwarp();
    tile[t] = sum;
    __syncwarp();
  }
  __syncthreads();
  if (t > 0) return;
  sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < kBlock; k += 32) sum += tile[k];
  block_sums[blockIdx.x] = sum;
}
// SPDX-License-Identifier: MIT
