// wrong: i*4096 wraps 32 bit: two threads one element, n>=2^20
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[2**32]", "n": "int"}, "where": ["0 <= n <= 2**21", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i * 4096u] = i;
}
// SPDX-License-Identifier: MIT
