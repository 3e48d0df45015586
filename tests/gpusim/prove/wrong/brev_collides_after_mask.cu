// wrong: brev collides after mask
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  a[(__brev(t) >> 25) & 127] = 1;
}
// SPDX-License-Identifier: MIT
