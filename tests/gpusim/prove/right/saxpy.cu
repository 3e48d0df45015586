// right: saxpy
// contract: [{"kernel": "k", "block": [256], "parameters": {"x": "float[n]", "y": "float[n]", "n": "int", "s": "float"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* x, float* y, int n, float s) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += s * x[i];
}
// SPDX-License-Identifier: MIT
