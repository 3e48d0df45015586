// wrong: a grid of n blocks, where n is at most 16
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int"}, "where": ["4096 <= n <= 5000", "grid <= 16"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  if (gridDim.x < 16) out[first % 4096 / 2] = 1.0f;
}
// SPDX-License-Identifier: MIT
