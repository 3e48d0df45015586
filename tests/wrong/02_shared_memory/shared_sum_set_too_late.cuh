// rejected: race
// Thread 0 sets the shared sum to 0, and no barrier keeps the others from adding before it does. What they add by
// then is lost. A device that runs warp 0 first hides it.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float sum;
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (t == 0) sum = 0.0f;
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (t == 0) block_sums[blockIdx.x] = sum;
}
// SPDX-License-Identifier: MIT
