// Compensated (Kahan) summation: what one addition loses goes into the next. An infinite sum has lost
// nothing: without that question, infinity - infinity would make it NaN.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  float sum = 0.0f, lost = 0.0f;
  for (int i = blockIdx.x * kThreads + t; i < n; i += stride) {
    const float more = in[i] - lost;
    const float next = sum + more;
    lost = isinf(next) ? 0.0f : (next - sum) - more;
    sum = next;
  }
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
