// rejected: right, but it makes warps wait at a barrier 144 times for every 512 elements
// Plans B and C as shipped: one element a thread, and half of the threads never add one.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#define sum_adjacent_tiles solved_sum_adjacent_tiles
#define kThreadsB solved_kThreadsB
#define kElementsC solved_kElementsC
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads
#undef sum_adjacent_tiles
#undef kThreadsB
#undef kElementsC

inline constexpr int kThreadsB = kBlock;
inline constexpr int kElementsC = kBlock;

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  const float sum = i < n ? in[i] : 0.0f;
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  const float sum = i < n ? in[i] : 0.0f;
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
