// wrong: row pitch c-1: last of row y and first of y+1 collide
// contract: [{"kernel": "k", "block": [256], "parameters": {"b": "int[r*c]", "r": "int", "c": "int"}, "where": ["1 <= r <= 2**10", "2 <= c <= 2**10", "grid == max(1, ceil_div(r*c, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* b, int r, int c) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < r * c) {
    int x = i % c, y = i / c;
    b[y * (c - 1) + x] = i;
  }
}
// SPDX-License-Identifier: MIT
