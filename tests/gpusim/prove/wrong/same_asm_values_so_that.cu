// wrong: same with asm values, so that no select is made
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[384]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  int x = 0;
  if (n > 10) {
    if (t < 64) asm volatile("mov.u32 %0, 1;" : "=r"(x));
    else if (t < 128) asm volatile("mov.u32 %0, 2;" : "=r"(x));
    else return;
  }
  a[t * 3 + x] = 1;
}
// SPDX-License-Identifier: MIT
