// rejected: right, but it writes shared memory
// Each warp is summed by shuffles, and then all lanes put what they have into a tile and a tree of chapter
// 08 runs over the first ones: the barriers are still there.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  tile[t] = warp_sum(thread_sum(in, n));
  __syncthreads();
  for (int stride = kBlock / 2; stride >= 32; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  const float sum = tile[t];
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
