// right: deinterleave
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[n]", "c": "int[2*n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int* c, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    a[i] = c[2 * i];
    b[i] = c[2 * i + 1];
  }
}
// SPDX-License-Identifier: MIT
