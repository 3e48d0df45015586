// wrong: loop that returns for some t before a barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (k == t * 5) return;
    s[t] = k;
  }
  __syncthreads();
  a[t] = s[t];
}
// SPDX-License-Identifier: MIT
