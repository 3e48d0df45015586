// wrong: x from a branch with a return, n<=10 keeps threads t>=128: outside
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[384]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  int x = 0;
  if (n > 10) {
    if (t < 64) x = 1;
    else if (t < 128) x = 2;
    else return;
  }
  a[t * 3 + x] = 1;
}
// SPDX-License-Identifier: MIT
