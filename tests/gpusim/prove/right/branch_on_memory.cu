// right: each thread writes one of its two elements, as memory says
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[n]", "out": "float[2 * n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int j = 2 * i;
  if (in[i] > 0.0f) j = 2 * i + 1;
  out[j] = 1.0f;
}
// SPDX-License-Identifier: MIT
