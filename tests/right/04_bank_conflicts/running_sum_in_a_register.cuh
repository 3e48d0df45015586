// Thread t always writes tile[t], so its sum may stay in a register. The barrier stands at the head of the
// loop.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = i < n ? in[i] : 0.0f;
  tile[t] = sum;
  for (int stride = kBlock / 2; stride >= 1; stride >>= 1) {
    __syncthreads();
    if (t < stride) tile[t] = sum += tile[t + stride];
  }
  if (t == 0) block_sums[blockIdx.x] = sum;
}
