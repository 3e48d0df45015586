// wrong: huge: n up to 2^31-1, i*4 wraps in 32-bit
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**31-1", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  unsigned b = (unsigned)i * 4u;
  if (i < n) *(int*)((char*)a + b) = 1;
}
// SPDX-License-Identifier: MIT
