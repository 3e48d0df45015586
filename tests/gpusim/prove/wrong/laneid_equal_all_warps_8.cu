// wrong: laneid equal in all warps: 8 warps race
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[32]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  unsigned l;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(l));
  out[l] = t;
}
// SPDX-License-Identifier: MIT
