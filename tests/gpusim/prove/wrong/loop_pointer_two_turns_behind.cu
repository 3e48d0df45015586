// wrong: a pointer follows another one, and both move by two after the first turn
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[51200 * grid]"}, "where": ["grid <= 2**10"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
  float* const mine = out + (256 * blockIdx.x + t) * 200;
  int behind = 0, ahead = 1;
#pragma unroll 1
  for (int j = 0; j < 200; ++j) {
    mine[behind] = j;
    behind = ahead;
    ahead = ahead + 2;
  }
}
// SPDX-License-Identifier: MIT
