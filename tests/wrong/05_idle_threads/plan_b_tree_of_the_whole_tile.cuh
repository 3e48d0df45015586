// rejected: fault
// Half as many threads, and the tree still begins in the middle of a tile of kBlock: it adds elements of
// shared memory that the tile does not have.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreadsB < n) sum += in[i + kThreadsB];
  tile[t] = sum;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
