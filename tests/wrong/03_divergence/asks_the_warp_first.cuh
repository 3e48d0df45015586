// rejected: right, but it reads shared memory 95 times a block
// "A warp without work must not enter": one vote, and it does not. But for five levels no warp is without
// work; the vote comes on top.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_strided(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const bool works = t % (2 * len) == 0;
    if (__any_sync(0xffffffff, works)) {
      if (works) tile[t] += tile[t + len];
    }
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
