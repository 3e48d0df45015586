// rejected: wrong result
// The exclusive sum as the inclusive one less the element itself. Right for ints; for floats it makes a NaN
// of the sum before the first NaN, and of an infinity.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__global__ void scan_brent_kung<float, kSection, Scan::exclusive>(const float* in, float* out, float* totals,
                                                                   int n) {
  constexpr int kThreads = kSection / 2;
  __shared__ float tile[kSection];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kSection + t;
  tile[t] = i < n ? in[i] : 0.0f;
  tile[t + kThreads] = i + kThreads < n ? in[i + kThreads] : 0.0f;

  for (int stride = 1; stride < kSection; stride *= 2) {
    __syncthreads();
    const int k = (t + 1) * 2 * stride - 1;
    if (k < kSection) tile[k] += tile[k - stride];
  }

  for (int stride = kSection / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const int k = (t + 1) * 2 * stride - 1;
    if (k + stride < kSection) tile[k + stride] += tile[k];
  }

  __syncthreads();
  if (i < n) out[i] = tile[t] - in[i];
  if (i + kThreads < n) out[i + kThreads] = tile[t + kThreads] - in[i + kThreads];
  if (t == 0) totals[blockIdx.x] = tile[kSection - 1];
}
// SPDX-License-Identifier: MIT
