// right: volatile reads of any element, and writes to another array
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[n]", "out": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const volatile float* const from = in;
  if (i < n) out[i] = from[i] + from[n - 1 - i];
}
// SPDX-License-Identifier: MIT
