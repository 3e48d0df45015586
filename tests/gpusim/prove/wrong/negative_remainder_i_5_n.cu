// wrong: negative remainder: (i-5)%n negative for i<5
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[(i - 5) % n] = 1;
}
// SPDX-License-Identifier: MIT
