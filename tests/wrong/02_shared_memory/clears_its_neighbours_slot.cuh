// rejected: race
// Each warp clears the next warp's slots, "so that the tail is zero", and no barrier follows: the next warp may have
// filled them by then. A device that runs warps in order hides it.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (t + 32 < kBlock) tile[t + 32] = 0.0f;
  if (t < 32 || i < n) tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
