// wrong: loop bound from memory: j up to b[0] leaves out
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "b": "int[1]", "n": "int"}, "where": ["256 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int* b, int n) {
  int t = threadIdx.x;
  for (int j = t; j < b[0]; j += 256) out[j] = t;
}
// SPDX-License-Identifier: MIT
