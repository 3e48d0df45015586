// wrong: in-place 3-point stencil
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i > 0 && i + 1 < n) a[i] = a[i - 1] + a[i + 1];
}
// SPDX-License-Identifier: MIT
