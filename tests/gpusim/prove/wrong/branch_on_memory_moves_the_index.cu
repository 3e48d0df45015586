// wrong: memory says whether a thread writes its element or the next one
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[n]", "out": "float[n + 1]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int j = i;
  if (in[i] > 0.0f) j = i + 1;
  out[j] = 1.0f;
}
// SPDX-License-Identifier: MIT
