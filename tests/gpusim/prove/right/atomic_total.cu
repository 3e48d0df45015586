// right: atomic total
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[1]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(b, a[i]);
}
// SPDX-License-Identifier: MIT
