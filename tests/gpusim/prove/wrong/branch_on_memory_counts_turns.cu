// wrong: the turns of a loop, which memory ends, are an index
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[n]", "out": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int j = 0;
  while (in[j] > 0.0f) ++j;
  out[i] = j;
}
// SPDX-License-Identifier: MIT
