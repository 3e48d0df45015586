// rejected: wrong result
// The widely copied `#define … 256/2` without parentheses. kBlock / kThreadsB is 256 / 256 / 2 = 0 elements a
// thread, so nothing is added at all; elsewhere (2 * kThreadsB, or the launch) the value is right. A constant
// has no such trap.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#define kThreadsB solved_kThreadsB
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads
#undef kThreadsB

#define kThreadsB 256 / 2

// ANCHOR: kernel
__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = 0.0f;
  for (int k = 0; k < kBlock / kThreadsB; ++k)
    if (i + k * (kThreadsB) < n) sum += in[i + k * (kThreadsB)];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
