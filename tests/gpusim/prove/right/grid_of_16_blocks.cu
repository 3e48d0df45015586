// right: a stride of the 16 blocks that the contract promises
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int", "columns": "int"}, "where": ["0 <= n <= 2**20", "1 <= columns <= 2**20", "grid == 16"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n, int columns) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += 256 * gridDim.x) out[i / columns * columns + i % columns] = 1.0f;
}
// SPDX-License-Identifier: MIT
