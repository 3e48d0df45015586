// Kogge-Stone in one array: everybody reads, all wait, everybody writes.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__global__ void scan_kogge_stone<int, 1024, Scan::inclusive>(const int* in, int* out, int n) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 1024 + t;
  tile[t] = i < n ? in[i] : 0;
  for (int distance = 1; distance < 1024; distance *= 2) {
    __syncthreads();
    const int other = t >= distance ? tile[t - distance] : 0;
    __syncthreads();
    tile[t] += other;
  }
  __syncthreads();
  if (i < n) out[i] = tile[t];
}
// SPDX-License-Identifier: MIT
