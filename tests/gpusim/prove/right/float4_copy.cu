// right: float4 copy
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[4*n] at 16", "b": "float[4*n] at 16", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, float* b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) ((float4*)b)[i] = ((float4*)a)[i];
}
// SPDX-License-Identifier: MIT
