// rejected: race
// A thread reads its neighbour's sum of the level below while the neighbour writes that of this level.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

// ANCHOR: kernel
template <>
__global__ void scan_kogge_stone<int, 1024, Scan::inclusive>(const int* in, int* out, int n) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  tile[t] = t < n ? in[t] : 0;
  for (int distance = 1; distance < 1024; distance *= 2) {
    __syncthreads();
    if (t >= distance) tile[t] += tile[t - distance];
  }
  __syncthreads();
  if (t < n) out[t] = tile[t];
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
