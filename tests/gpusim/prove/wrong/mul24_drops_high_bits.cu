// wrong: mul24 drops high bits
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n*16]", "n": "int"}, "where": ["0 <= n <= 2**21", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) a[__umul24(i * 16, 1)] = 1;
}
// SPDX-License-Identifier: MIT
