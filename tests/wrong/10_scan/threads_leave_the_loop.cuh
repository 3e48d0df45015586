// rejected: barrier
// A thread that has nothing left to add leaves the loop, and no longer waits for the others: thread 0 waits
// at the barrier below while thread 1023 waits at the tenth of the loop.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__global__ void scan_kogge_stone<int, 1024, Scan::inclusive>(const int* in, int* out, int n) {
  __shared__ int tile[1024];
  const int t = threadIdx.x;
  tile[t] = t < n ? in[t] : 0;
  for (int distance = 1; distance <= t; distance *= 2) {
    __syncthreads();
    const int other = tile[t - distance];
    __syncthreads();
    tile[t] += other;
  }
  __syncthreads();
  if (t < n) out[t] = tile[t];
}
// SPDX-License-Identifier: MIT
