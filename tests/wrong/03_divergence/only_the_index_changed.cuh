// rejected: fault
// The new index under the old condition: the threads that owned a left element work at twice their number and
// more, which is soon beyond the tile.
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
    const unsigned left = 2 * len * t;
    if (t % (2 * len) == 0) tile[left] += tile[left + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
