// rejected: wrong result
// The first kWarps lanes of the first warp take a slot each. The others keep the partial sums that the first
// five shuffles left them, and those are added as well.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = warp_sum(thread_sum(in, n));
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    if (lane < kWarps) sum = warp_sums[lane];
    sum = warp_sum(sum);
  }
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
