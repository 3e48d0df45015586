// wrong: n=INT_MIN: n/-1 stays negative, index negative
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[2**31]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  if (t == 0) {
    int q = n < 0 ? n / -1 : 0;
    out[q] = 1;
  }
}
// SPDX-License-Identifier: MIT
