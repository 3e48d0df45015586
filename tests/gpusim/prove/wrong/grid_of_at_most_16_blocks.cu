// wrong: a grid of at most 16 blocks need not have 16
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int"}, "where": ["1 <= n <= 2**20", "grid <= 16"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += 4096) out[i] = 1.0f;
  if (gridDim.x != 16) out[0] = 5.0f;
}
// SPDX-License-Identifier: MIT
