// wrong: selp trick: i or i-1 by parity
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int j = (i & 1) ? i - 1 : i;
  if (j < n) a[j] = i;
}
// SPDX-License-Identifier: MIT
