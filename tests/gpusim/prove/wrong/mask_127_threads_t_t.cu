// wrong: and mask 127: threads t and t+128 collide
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  a[t & 127] = t;
}
// SPDX-License-Identifier: MIT
