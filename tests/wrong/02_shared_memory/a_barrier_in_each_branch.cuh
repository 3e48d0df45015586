// rejected: barrier
// Threads that add wait in one branch, the others in the other: every thread calls __syncthreads(), and they do not
// call the same one. The sums may be right; nothing promises it.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) {
      const float sum = tile[t] + tile[t + len];
      __syncthreads();
      tile[t] = sum;
    } else {
      __syncthreads();
    }
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
