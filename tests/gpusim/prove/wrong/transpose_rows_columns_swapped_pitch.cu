// wrong: transpose with rows*columns swapped pitch
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[r*c]", "b": "int[r*c]", "r": "int", "c": "int"}, "where": ["1 <= r <= 2**10", "1 <= c <= 2**10", "grid == max(1, ceil_div(r*c, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int r, int c) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < r * c) {
    int x = i % c, y = i / c;
    b[x * c + y] = a[i];
  }
}
// SPDX-License-Identifier: MIT
