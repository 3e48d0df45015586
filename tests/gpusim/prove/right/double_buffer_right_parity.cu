// right: double buffer, right parity
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["0 <= n <= 1000", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[2][256];
  int t = threadIdx.x;
  s[0][t] = a[t];
  __syncthreads();
  for (int k = 0; k < n; k++) {
    s[(k + 1) & 1][t] = s[k & 1][255 - t];
    __syncthreads();
  }
  a[t] = s[n & 1][t];
}
// SPDX-License-Identifier: MIT
