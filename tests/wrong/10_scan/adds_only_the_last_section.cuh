// rejected: wrong result
// Adds what the section before adds up to by itself, and forgets those before it.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__global__ void add_before<int>(int* out, const int* before, int n) {
  const int i = blockIdx.x * kSection + threadIdx.x;
  const int sum = blockIdx.x == 0 ? 0 : before[blockIdx.x] - before[blockIdx.x - 1];
  if (i < n) out[i] += sum;
  if (i + kSection / 2 < n) out[i + kSection / 2] += sum;
}
