// wrong: if the bool is true, the last thread writes behind the array
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int", "flag": "bool"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n, bool flag) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + flag] = 1.0f;
}
// SPDX-License-Identifier: MIT
