// wrong: d<=0: t and t+128 collide; quotient by d only where d>0
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[512]", "d": "int", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int d, int n) {
  int t = threadIdx.x;
  int q = 0;
  if (d > 0) q = t / d;
  int j = d > 0 ? t : (t & 127);
  a[j + q] = 1;
}
// SPDX-License-Identifier: MIT
