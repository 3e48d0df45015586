// wrong: smid as index: blocks and threads race
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[1024]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  unsigned s;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(s));
  out[s & 1023] = t;
}
// SPDX-License-Identifier: MIT
