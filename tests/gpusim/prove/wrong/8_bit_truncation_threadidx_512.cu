// wrong: 8-bit truncation of threadIdx in a 512 block
// contract: [{"kernel": "k", "block": [512], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  unsigned char j = threadIdx.x;
  a[j] = 1;
}
// SPDX-License-Identifier: MIT
