// wrong: loop downwards reaches -1
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  for (int j = n - 1 - t; j >= -1; j -= 256) a[j] = 1;
}
// SPDX-License-Identifier: MIT
