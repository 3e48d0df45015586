// wrong: int4 past the end if n%4 != 0
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n] at 16", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i * 4 < n) ((int4*)a)[i] = make_int4(1, 2, 3, 4);
}
// SPDX-License-Identifier: MIT
