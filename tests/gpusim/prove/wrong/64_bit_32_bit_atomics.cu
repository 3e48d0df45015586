// wrong: 64-bit and 32-bit atomics on the same bytes
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "unsigned[512] at 8", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(unsigned* a, int n) {
  int t = threadIdx.x;
  if (t & 1) atomicAdd(a, 1u);
  else atomicAdd((unsigned long long*)a, 1ull);
}
// SPDX-License-Identifier: MIT
