// wrong: max clamp: threads below 5 collide
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["300 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  i = max(i, 5);
  if (i < n) a[i] = 1;
}
// SPDX-License-Identifier: MIT
