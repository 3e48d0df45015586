// A warp adds its sums by shuffles, and the first warp those of the warps: chapter 09.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  float sum = 0.0f;
  for (int i = blockIdx.x * kThreads + t; i < n; i += stride) sum += in[i];

  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (t % 32 == 0) tile[t / 32] = sum;
  __syncthreads();  // every warp's sum is there before the first warp reads them
  if (t >= 32) return;
  sum = t < kThreads / 32 ? tile[t] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (t == 0) block_sums[blockIdx.x] = sum;
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
