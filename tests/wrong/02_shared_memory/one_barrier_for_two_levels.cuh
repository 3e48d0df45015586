// rejected: race
// The loop is unrolled by two, and one of the two barriers got lost on the way: every other level reads sums that
// nothing has waited for.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 4) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    if (t % (4 * len) == 0) tile[t] += tile[t + 2 * len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
