// wrong: loop counter wraps around: n near 2^31, j+=stride overflow negative
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**31-1", "1 <= grid <= 2**22"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int j = i; j < n;) {
    out[j] = 1;
    asm volatile("add.s32 %0, %0, %1;" : "+r"(j) : "r"(gridDim.x * 256));
  }
}
// SPDX-License-Identifier: MIT
