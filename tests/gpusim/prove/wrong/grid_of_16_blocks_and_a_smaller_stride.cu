// wrong: a stride of 15 blocks in a grid of 16
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == 16"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += 256 * gridDim.x - 256) out[i] = 1.0f;
}
// SPDX-License-Identifier: MIT
