// wrong: quotient by d under d>255 in one branch makes the other branch impossible; all threads write a[0]
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[512]", "d": "int", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int d, int n) {
  unsigned t = threadIdx.x;
  unsigned q = 0;
  if (d > 255) q = t / (unsigned)d + 1;
  a[d > 255 ? t + q : q] = 1;
}
// SPDX-License-Identifier: MIT
