// right: vector add
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[n]", "b": "float[n]", "c": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, float* b, float* c, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
// SPDX-License-Identifier: MIT
