// wrong: volatile flag spin between blocks, no fence
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[grid+1]", "n": "int"}, "where": ["1 <= grid <= 1024"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  volatile int* v = a;
  int t = threadIdx.x;
  if (t == 0) {
    if (blockIdx.x == 0) v[1] = 1;
    else
      while (v[1] == 0);
    v[0] = blockIdx.x;
  }
}
// SPDX-License-Identifier: MIT
