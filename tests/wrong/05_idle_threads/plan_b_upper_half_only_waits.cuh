// rejected: right, but it makes warps wait at a barrier 144 times for every 512 elements
// The lower half of the threads adds two elements each, and the upper half is still there: it stores zeros
// and comes to every barrier.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#define kThreadsB solved_kThreadsB
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads
#undef kThreadsB

inline constexpr int kThreadsB = kBlock;

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = 0.0f;
  if (t < kBlock / 2 && i < n) sum = in[i];
  if (t < kBlock / 2 && i + kBlock / 2 < n) sum += in[i + kBlock / 2];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
