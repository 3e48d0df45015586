// wrong: atomics with plain read
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[1]", "o": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* o, int n) {
  int t = threadIdx.x;
  atomicAdd(a, 1);
  o[t] = a[0];
}
// SPDX-License-Identifier: MIT
