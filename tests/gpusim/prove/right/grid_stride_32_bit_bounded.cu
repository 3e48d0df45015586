// right: grid-stride, 32-bit, bounded
// contract: [{"kernel": "k", "block": [256], "parameters": {"x": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**29", "1 <= grid <= 2**16"]}]
#include <cuda_runtime.h>

__global__ void k(float* x, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int j = i; j < n; j += gridDim.x * 256) x[j] *= 2;
}
// SPDX-License-Identifier: MIT
