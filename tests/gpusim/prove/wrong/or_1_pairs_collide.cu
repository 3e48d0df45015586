// wrong: or with 1: pairs collide
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[257]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  a[t | 1] = t;
}
// SPDX-License-Identifier: MIT
