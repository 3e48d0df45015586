// wrong: loop step doubles (non-constant): j reaches same elements
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int j = i + 1; j < n; j *= 2) out[j] = 1;
}
// SPDX-License-Identifier: MIT
