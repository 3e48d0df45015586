// wrong: either-variable in a loop: continue in place of return
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[1024]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  int x = 0;
  if (n > 10) {
    if (t < 64) asm volatile("mov.u32 %0, 1;" : "=r"(x));
    else if (t < 128) asm volatile("mov.u32 %0, 2;" : "=r"(x));
    else return;
  } else asm volatile("mov.u32 %0, 0;" : "=r"(x));
  a[(t & 127) * 3 + x] = t;
}
// SPDX-License-Identifier: MIT
