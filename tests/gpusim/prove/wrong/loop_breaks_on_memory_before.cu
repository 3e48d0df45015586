// wrong: loop breaks on memory before barrier: divergent barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int k = 0; k < 8; k++) {
    if (a[t] == k) break;
    s[t] = k;
    __syncthreads();
  }
}
// SPDX-License-Identifier: MIT
