// right: each thread reverses a local array of 300 elements
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[76800 * grid]"}, "where": ["grid <= 2**10"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  float mine[300];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int j = 0; j < 300; ++j) mine[j] = t * j;
#pragma unroll 1
  for (int j = 0; j < 300; ++j) out[(256 * blockIdx.x + t) * 300 + j] = mine[299 - j];
}
// SPDX-License-Identifier: MIT
