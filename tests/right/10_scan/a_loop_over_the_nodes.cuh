// Fewer threads than nodes would do: each takes every kThreads-th node of a level, and the way down goes by
// levels of the tree, not by strides.
#pragma once

#define scan_brent_kung solved_scan_brent_kung
#include "../../../solutions/10_scan/kernels.cuh"
#undef scan_brent_kung

template <typename T, int kLength, Scan kScan>
__global__ void scan_brent_kung(const T* in, T* out, T* totals, int n) {
  constexpr int kThreads = kLength / 2;
  __shared__ T tile[kLength];
  const int t = threadIdx.x, first = blockIdx.x * kLength;
  for (int k = t; k < kLength; k += kThreads) tile[k] = first + k < n ? in[first + k] : T{};
  int levels = 0;
  for (; 1 << levels < kLength; ++levels) {
    __syncthreads();
    for (int node = t; node < kLength >> (levels + 1); node += kThreads) {
      const int k = ((node + 1) << (levels + 1)) - 1;
      tile[k] = tile[k - (1 << levels)] + tile[k];
    }
  }
  for (int level = levels - 2; level >= 0; --level) {
    __syncthreads();
    for (int node = t; node < (kLength >> (level + 1)) - 1; node += kThreads) {
      const int k = ((node + 1) << (level + 1)) - 1;
      tile[k + (1 << level)] = tile[k] + tile[k + (1 << level)];
    }
  }
  __syncthreads();
  for (int k = t; k < kLength && first + k < n; k += kThreads)
    out[first + k] = kScan == Scan::inclusive ? tile[k] : k == 0 ? T{} : tile[k - 1];
  if (t == 0) totals[blockIdx.x] = tile[kLength - 1];
}
// SPDX-License-Identifier: MIT
