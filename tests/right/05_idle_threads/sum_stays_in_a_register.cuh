// A thread keeps its running sum in a register and stores it for the one that adds it: half as many shared
// loads.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#define sum_adjacent_tiles solved_sum_adjacent_tiles
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads
#undef sum_adjacent_tiles

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreadsB < n) sum += in[i + kThreadsB];
  tile[t] = sum;
  for (int stride = kThreadsB / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) tile[t] = sum += tile[t + stride];
  }
  if (t == 0) block_sums[blockIdx.x] = sum;
}

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElementsC + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) tile[t] = sum += tile[t + stride];
  }
  if (t == 0) block_sums[blockIdx.x] = sum;
}
