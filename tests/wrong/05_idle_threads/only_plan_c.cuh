// rejected: right, but it makes warps wait at a barrier 144 times for every 512 elements
// Plan C is solved, plan B is still the step before.
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
  const float sum = i < n ? in[i] : 0.0f;
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
