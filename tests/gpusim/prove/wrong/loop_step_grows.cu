// wrong: a step that is 1 in the first turn, and larger in each later one
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[51200 * grid]"}, "where": ["grid <= 2**10"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
  float* const mine = out + (256 * blockIdx.x + t) * 200;
  int at = 0, step = 1;
#pragma unroll 1
  for (int j = 0; j < 200; ++j) {
    mine[at] = j;
    at += step;
    step += 1;
  }
}
// SPDX-License-Identifier: MIT
