// wrong: funnel shift by 33 = by 1: index i*2 past end
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) a[__funnelshift_l(0, i, 33)] = 1;
}
// SPDX-License-Identifier: MIT
