// wrong: a loop of up to 300 turns reads a local array of 299 elements
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]", "n": "int"}, "where": ["grid <= 2**20", "0 <= n <= 300"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  float mine[299];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int j = 0; j < 299; ++j) mine[j] = t * j;
  float sum = 0.0f;
#pragma unroll 1
  for (int j = 0; j < n; ++j) sum += mine[j];
  out[256 * blockIdx.x + t] = sum;
}
// SPDX-License-Identifier: MIT
