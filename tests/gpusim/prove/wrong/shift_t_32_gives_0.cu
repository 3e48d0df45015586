// wrong: shift by t>=32 gives 0 in PTX: threads 32..255 all write out[0]
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "unsigned[2**31+1]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(unsigned* out, int n) {
  int t = threadIdx.x;
  unsigned r;
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(1u), "r"(t));
  if (r <= 2147483648u) out[r] = 1;
}
// SPDX-License-Identifier: MIT
