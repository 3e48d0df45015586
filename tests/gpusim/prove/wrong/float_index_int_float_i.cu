// wrong: float index: (int)(float)i rounds for i > 2^24, two i collide
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[2**30]", "n": "int"}, "where": ["0 <= n <= 2**29", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int j = (int)(float)i;
  if (i < n) a[j] = 1;
}
// SPDX-License-Identifier: MIT
