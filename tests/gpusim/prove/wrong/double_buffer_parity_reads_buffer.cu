// wrong: double buffer parity: reads the buffer it writes
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[2][256];
  int t = threadIdx.x;
  s[0][t] = t;
  __syncthreads();
  for (int k = 0; k < 8; k++) {
    s[k & 1][t] = s[k & 1][255 - t] + 1;
    __syncthreads();
  }
  a[t] = s[0][t];
}
// SPDX-License-Identifier: MIT
