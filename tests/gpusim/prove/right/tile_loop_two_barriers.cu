// right: tile loop with two barriers
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[n]", "n": "int"}, "where": ["1 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 256) {
    s[t] = k + t < n ? a[k + t] : 0;
    __syncthreads();
    if (k + t < n) b[k + t] = s[255 - t];
    __syncthreads();
  }
}
// SPDX-License-Identifier: MIT
