// rejected: wrong result
// The block's number is kept in 8 bits. From block 256 on, blocks sum the tiles of earlier ones and store over their
// sums; inputs of up to 65536 elements come out right.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const unsigned char block = blockIdx.x;
  const int i = block * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0) tile[t] += tile[t + len];
    __syncthreads();
  }
  if (t == 0) block_sums[block] = tile[0];
}
