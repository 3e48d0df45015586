// rejected: race
// The first of the two widely copied versions: the loop goes on to stride 1 and skips the barrier from 16 on,
// "since a warp runs together anyway". Nothing says so: neither to the compiler nor to the GPU.
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
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    if (stride > 16) __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
