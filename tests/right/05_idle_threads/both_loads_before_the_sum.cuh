// Both loads are issued before either value is used, with a guard each.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#define sum_adjacent_tiles solved_sum_adjacent_tiles
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads
#undef sum_adjacent_tiles

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int first = blockIdx.x * kBlock + t, second = first + kThreadsB;
  const float a = first < n ? in[first] : 0.0f, b = second < n ? in[second] : 0.0f;
  const float sum = a + b;
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int first = blockIdx.x * kElementsC + t, second = first + kBlock;
  const float a = first < n ? in[first] : 0.0f, b = second < n ? in[second] : 0.0f;
  const float sum = b + a;
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
