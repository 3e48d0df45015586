// wrong: min clamp: all threads past n write a[n-1]
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["1 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  a[min(i, n - 1)] = 1;
}
// SPDX-License-Identifier: MIT
