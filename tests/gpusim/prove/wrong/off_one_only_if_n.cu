// wrong: off by one only if n%7==3
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int e = n + (n % 7 == 3);
  if (i < e) out[i] = 1;
}
// SPDX-License-Identifier: MIT
