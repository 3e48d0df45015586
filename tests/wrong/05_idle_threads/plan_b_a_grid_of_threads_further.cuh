// rejected: wrong result
// Plan A's index in plan B: the second element lies a grid of threads further on. Every element is added
// once, so the total is right; but block b no longer sums tile b. A check that only compares totals accepts
// it.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kThreadsB + t;
  const int second = i + gridDim.x * kThreadsB;
  float sum = i < n ? in[i] : 0.0f;
  if (second < n) sum += in[second];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
