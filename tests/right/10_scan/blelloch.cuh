// The way down of Blelloch: the root becomes 0, and each node hands its value to its left child, and the sum
// of its value and the left child's to the right one. What remains is the exclusive scan.
#pragma once

#define scan_brent_kung solved_scan_brent_kung
#include "../../../solutions/10_scan/kernels.cuh"
#undef scan_brent_kung

template <typename T, int kLength, Scan kScan>
__global__ void scan_brent_kung(const T* in, T* out, T* totals, int n) {
  constexpr int kThreads = kLength / 2;
  __shared__ T tile[kLength + 1];
  const int t = threadIdx.x, i = blockIdx.x * kLength + t;
  tile[t] = i < n ? in[i] : T{};
  tile[t + kThreads] = i + kThreads < n ? in[i + kThreads] : T{};
  for (int stride = 1; stride < kLength; stride *= 2) {
    __syncthreads();
    const int k = (t + 1) * 2 * stride - 1;
    if (k < kLength) tile[k] = tile[k - stride] + tile[k];
  }
  __syncthreads();
  if (t == 0) {
    totals[blockIdx.x] = tile[kLength] = tile[kLength - 1];
    tile[kLength - 1] = T{};
  }
  for (int stride = kLength / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int k = (t + 1) * 2 * stride - 1;
    if (k < kLength) {
      const T left = tile[k - stride];
      tile[k - stride] = tile[k];
      tile[k] = tile[k] + left;
    }
  }
  __syncthreads();
  constexpr int kOn = kScan == Scan::inclusive ? 1 : 0;  // inclusive: the next one's exclusive
  if (i < n) out[i] = tile[t + kOn];
  if (i + kThreads < n) out[i + kThreads] = tile[t + kThreads + kOn];
}
// SPDX-License-Identifier: MIT
