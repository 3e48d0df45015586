// wrong: remainder by m only where m>0; m<=0 all threads write a[0]
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "m": "int", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int m, int n) {
  int t = threadIdx.x;
  unsigned q = 0;
  if (m > 255) q = (unsigned)t % (unsigned)m;
  a[q] = 1;
}
// SPDX-License-Identifier: MIT
