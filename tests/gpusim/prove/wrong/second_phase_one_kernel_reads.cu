// wrong: second phase in one kernel reads what other blocks wrote (two phases need two launches)
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) a[i] = i;
  __syncthreads();
  if (i < n) b[i] = a[n - 1 - i];
}
// SPDX-License-Identifier: MIT
