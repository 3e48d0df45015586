// wrong: xor by 32 is a bijection but read by other warp races
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  a[t] = a[t ^ 32];
}
// SPDX-License-Identifier: MIT
