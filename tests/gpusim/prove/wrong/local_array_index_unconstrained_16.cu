// wrong: local array index unconstrained: 16 elements, index n
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["0 <= n <= 100", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  int l[16];
  for (int k = 0; k < 16; k++) l[k] = t * k;
  l[n] = 5;
  int x = 0;
  for (int k = 0; k < 16; k++) x += l[k];
  a[t] = x;
}
// SPDX-License-Identifier: MIT
