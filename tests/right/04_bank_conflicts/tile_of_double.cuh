// The tile is of double: a warp takes two passes for 8 bytes a lane, and that is no conflict.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;

__global__ void sum_sequential(const float* in, float* block_sums, int n) {
  __shared__ double tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  tile[t] = i < n ? in[i] : 0.0;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = static_cast<float>(tile[0]);
}
