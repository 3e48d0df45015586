// wrong: byte permute drops a byte, i>>8 lost
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) a[__byte_perm(i, 0, 0x4440)] = 1;
}
// SPDX-License-Identifier: MIT
