// Plan A as a loop that steps by a grid of threads until the input ends: chapter 08's, a few chapters early.
#pragma once

#define sum_half_the_blocks solved_sum_half_the_blocks  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_blocks

__global__ void sum_half_the_blocks(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
