// rejected: wrong result
// Widely copied: the second element lies gridDim.x elements further on. But gridDim.x counts blocks, not
// threads: elements are added twice, others never. A host check that adds up in[i] and in[i + blocks] makes
// the same mistake and agrees to the last bit.
#pragma once

#define sum_half_the_blocks solved_sum_half_the_blocks  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_blocks

// ANCHOR: kernel
__global__ void sum_half_the_blocks(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  const int second = i + gridDim.x;
  float sum = i < n ? in[i] : 0.0f;
  if (second < n) sum += in[second];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
