// stretch: reached
// A float4 a load while there are whole ones; the up to three that remain go to the first threads of the
// grid.
#pragma once

#include "../../chapters/grid_sums.cuh"

template <int kThreads>
__global__ void sum_grid_stride(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int stride = gridDim.x * kThreads;
  const int me = blockIdx.x * kThreads + t;
  const bool aligned = reinterpret_cast<unsigned long long>(in) % sizeof(float4) == 0;
  const int fours = aligned ? n / 4 : 0;
  float sum = 0.0f;
  for (int i = me; i < fours; i += stride) {
    const float4 four = reinterpret_cast<const float4*>(in)[i];
    sum += (four.x + four.y) + (four.z + four.w);
  }
  for (int i = 4 * fours + me; i < n; i += stride) sum += in[i];
  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

template <int kThreads>
int blocks_for(int, int wanted) {
  return wanted;
}
