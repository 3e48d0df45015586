// wrong: restrict lie: same array via cast, in-place reversal
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  const int* __restrict__ b = a;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) a[i] = b[n - 1 - i];
}
// SPDX-License-Identifier: MIT
