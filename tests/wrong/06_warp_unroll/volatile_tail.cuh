// rejected: race
// What cured it before 2017: volatile. Every line loads and stores, in this order, lane for lane. It says
// nothing about the order between lanes: right in lockstep, wrong in other legal orders.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;
inline constexpr int kElements = 2 * kBlock;

__global__ void sum_warp_tail(const float* in, float* block_sums, int n) {
  __shared__ volatile float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElements + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] = tile[t] + tile[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    tile[t] = tile[t] + tile[t + 32];
    tile[t] = tile[t] + tile[t + 16];
    tile[t] = tile[t] + tile[t + 8];
    tile[t] = tile[t] + tile[t + 4];
    tile[t] = tile[t] + tile[t + 2];
    tile[t] = tile[t] + tile[t + 1];
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
