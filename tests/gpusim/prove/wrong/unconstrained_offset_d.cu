// wrong: unconstrained offset d
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int", "d": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n, int d) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i + d < n) a[i + d] = 1;
}
// SPDX-License-Identifier: MIT
