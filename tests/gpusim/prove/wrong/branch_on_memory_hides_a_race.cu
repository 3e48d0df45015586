// wrong: threads write the first element where memory says so
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[n]", "out": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0.0f) out[0] = i;
}
// SPDX-License-Identifier: MIT
