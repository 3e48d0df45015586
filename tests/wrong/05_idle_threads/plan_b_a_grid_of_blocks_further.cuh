// rejected: wrong result
// Widely copied, too: plan B with the index of plan A and its mistake. The block begins at blockDim.x threads
// a block, and the second element lies gridDim.x elements further on.
#pragma once

#define sum_half_the_threads solved_sum_half_the_threads  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_threads

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  const int second = i + gridDim.x;
  float sum = i < n ? in[i] : 0.0f;
  if (second < n) sum += in[second];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
