// wrong: a remainder of a negative number is the index of a local array
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]", "step": "int"}, "where": ["grid <= 2**20", "0 - 2**20 <= step <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int step) {
  float mine[16];
  const int t = threadIdx.x;
  for (int j = 0; j < 16; ++j) mine[j] = t + j;
  mine[step % 16] = 3.0f;
  float sum = 0.0f;
#pragma unroll 1
  for (int j = 0; j < 16; ++j) sum += mine[j];
  out[256 * blockIdx.x + t] = sum;
}
// SPDX-License-Identifier: MIT
