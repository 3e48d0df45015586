// wrong: a[i+n/2] with a[i] written: overlap when n odd (i = n/2 .. )
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < (n + 1) / 2) a[i] = a[i + n / 2];
}
// SPDX-License-Identifier: MIT
