// wrong: early break makes last barrier unequal: n%256 lanes
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  for (int j = t; j < n; j += 256) {
    a[j] = 1;
    __syncthreads();
  }
}
// SPDX-License-Identifier: MIT
