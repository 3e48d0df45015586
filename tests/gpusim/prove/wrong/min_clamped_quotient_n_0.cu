// wrong: min of clamped quotient, n<=0 collides
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[1024]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  int q = 0;
  if (n > 0) {
    q = t / n;
  }
  if (n > 0 || t < 0) a[t + 512] = 2;
  else a[(t >> 1) + q] = t;
}
// SPDX-License-Identifier: MIT
