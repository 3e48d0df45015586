// wrong: double stores at 4-byte alignment (array of floats)
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[2*n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) *(double*)(a + 2 * i) = 1.0;
}
// SPDX-License-Identifier: MIT
