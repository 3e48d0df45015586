// rejected: fault
// The last section is rarely full, and nothing asks where n is.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__global__ void add_before<int>(int* out, const int* before, int n) {
  const int i = blockIdx.x * kSection + threadIdx.x;
  out[i] += before[blockIdx.x];
  out[i + kSection / 2] += before[blockIdx.x];
}
