// rejected: never written
// Every warp adds its sum to block_sums with an atomic, which needs no barrier; and needs a 0 to begin with, which
// nobody stored.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncwarp();
  if (t % 32 > 0) return;
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum += tile[t + k];
  atomicAdd(&block_sums[blockIdx.x], sum);
}
