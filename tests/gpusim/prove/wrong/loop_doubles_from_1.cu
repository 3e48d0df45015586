// wrong: an index that doubles in each turn, from 1 on
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[51200 * grid]", "n": "int"}, "where": ["grid <= 2**10", "0 <= n <= 199"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  const int t = threadIdx.x;
  float* const mine = out + (256 * blockIdx.x + t) * 200;
  unsigned at = 1;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    mine[at] = j;
    at *= 2;
  }
}
// SPDX-License-Identifier: MIT
