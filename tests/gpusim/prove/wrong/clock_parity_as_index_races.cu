// wrong: clock parity as index races
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[2]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  out[clock() & 1] = t;
}
// SPDX-License-Identifier: MIT
