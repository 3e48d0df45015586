// wrong: signed: n - 1 negative compared unsigned, n=0
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i <= (unsigned)(n - 1)) out[i] = 1;
}
// SPDX-License-Identifier: MIT
