// wrong: missing second barrier: next round's write races with read
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int x = 0;
  for (int k = 0; k < n; k++) {
    s[t] = k;
    __syncthreads();
    x += s[255 - t];
  }
  a[t] = x;
}
// SPDX-License-Identifier: MIT
