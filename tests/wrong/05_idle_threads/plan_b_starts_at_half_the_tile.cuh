// rejected: wrong result
// Half as many threads a block, and the old formula, blockIdx.x * blockDim.x + threadIdx.x: block b now
// begins in the middle of the tiles before. The formula is right only for one element a thread.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreadsB < n) sum += in[i + kThreadsB];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
