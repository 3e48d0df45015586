// wrong: reads the array past a segment of a block: a[blockIdx*256+256]
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[grid*256]", "o": "int[grid*256]", "n": "int"}, "where": ["1 <= grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* o, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  o[i] = a[i + 1];
}
// SPDX-License-Identifier: MIT
