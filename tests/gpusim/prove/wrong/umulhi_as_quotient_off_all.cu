// wrong: umulhi as quotient is off: all small i give 0
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) a[__umulhi(i, 1u << 30)] = 1;
}
// SPDX-License-Identifier: MIT
