// wrong: each index is the sum of the last two, and the first turn adds 1
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[51200 * grid]"}, "where": ["grid <= 2**10"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
  float* const mine = out + (256 * blockIdx.x + t) * 200;
  int at = 1, next = 2;
#pragma unroll 1
  for (int j = 0; j < 199; ++j) {
    mine[at] = j;
    const int sum = at + next;
    at = next;
    next = sum;
  }
}
// SPDX-License-Identifier: MIT
