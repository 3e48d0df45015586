// rejected: right, but scan_brent_kung makes 20481 additions
// The scan of Kogge and Stone under the other name: right, with ten additions an element instead of two.
#pragma once

#define scan_brent_kung solved_scan_brent_kung
#include "../../../solutions/10_scan/kernels.cuh"
#undef scan_brent_kung

template <typename T, int kLength, Scan kScan>
__global__ void scan_brent_kung(const T* in, T* out, T* totals, int n) {
  constexpr int kThreads = kLength / 2;
  __shared__ T tile[kLength];
  const int t = threadIdx.x, i = blockIdx.x * kLength + t;
  tile[t] = i < n ? in[i] : T{};
  tile[t + kThreads] = i + kThreads < n ? in[i + kThreads] : T{};
  for (int distance = 1; distance < kLength; distance *= 2) {
    __syncthreads();
    T low = tile[t], high = tile[t + kThreads];
    if (t >= distance) low = tile[t - distance] + low;
    if (t + kThreads >= distance) high = tile[t + kThreads - distance] + high;
    __syncthreads();
    tile[t] = low;
    tile[t + kThreads] = high;
  }
  __syncthreads();
  constexpr int kBack = kScan == Scan::exclusive ? 1 : 0;
  if (i < n) out[i] = t < kBack ? T{} : tile[t - kBack];
  if (i + kThreads < n) out[i + kThreads] = tile[t + kThreads - kBack];
  if (t == 0) totals[blockIdx.x] = tile[kLength - 1];
}
// SPDX-License-Identifier: MIT
