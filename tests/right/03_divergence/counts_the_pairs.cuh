// The loop counts pairs, 128, 64 … 1, and shifts: no product of len and t, and the bound asks for the pair.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  int level = 0;
  for (int pairs = kBlock / 2; pairs > 0; pairs >>= 1, ++level) {
    const int left = t << (level + 1);
    if (t < pairs) tile[left] = tile[left] + tile[left + (1 << level)];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
