// wrong: division by zero n=0: i/n arbitrary index
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[256]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  unsigned q = (unsigned)t / (unsigned)n;
  out[q + t * 0] = 1;
}
// SPDX-License-Identifier: MIT
