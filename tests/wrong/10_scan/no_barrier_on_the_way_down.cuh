// rejected: race
// A level of the way down reads prefixes that the level above is still writing.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__global__ void scan_brent_kung<int, kSection, Scan::inclusive>(const int* in, int* out, int* totals, int n) {
  constexpr int kThreads = kSection / 2;
  __shared__ int tile[kSection];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kSection + t;
  tile[t] = i < n ? in[i] : 0;
  tile[t + kThreads] = i + kThreads < n ? in[i + kThreads] : 0;

  for (int stride = 1; stride < kSection; stride *= 2) {
    __syncthreads();
    const int k = (t + 1) * 2 * stride - 1;
    if (k < kSection) tile[k] += tile[k - stride];
  }

  __syncthreads();
  for (int stride = kSection / 4; stride > 0; stride /= 2) {
    const int k = (t + 1) * 2 * stride - 1;
    if (k + stride < kSection) tile[k + stride] += tile[k];
  }

  __syncthreads();
  if (i < n) out[i] = tile[t];
  if (i + kThreads < n) out[i + kThreads] = tile[t + kThreads];
  if (t == 0) totals[blockIdx.x] = tile[kSection - 1];
}
// SPDX-License-Identifier: MIT
