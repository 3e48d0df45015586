// rejected: right, but it reads global memory
// There is a tile and every thread fills its place, but the tree adds in global memory as before and
// only copies each partial sum to the tile. Declaring shared memory is not using it.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_tile(float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) {
      in[i] += in[i + len];
      tile[t] = in[i];
    }
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
