// wrong: pointer difference of two arrays as index
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  long d = b - a;
  if (i < n) a[i + d + 1] = 1;
}
// SPDX-License-Identifier: MIT
