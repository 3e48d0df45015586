// wrong: mask n-1 with n not a power of two collides
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["1 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  if (t < n) a[t & (n - 1)] = 1;
}
// SPDX-License-Identifier: MIT
