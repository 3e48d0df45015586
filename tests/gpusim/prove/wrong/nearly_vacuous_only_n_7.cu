// wrong: nearly vacuous: only n=7 remains, a[7]
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["7 <= n <= 7", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  if (threadIdx.x == 0) a[n] = 1;
}
// SPDX-License-Identifier: MIT
