// wrong: negative stride st: index negative, st=0 race
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int", "st": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n, int st) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i * st < n) a[i * st] = 1;
}
// SPDX-License-Identifier: MIT
