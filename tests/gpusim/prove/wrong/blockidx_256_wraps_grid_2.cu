// wrong: blockIdx*256 wraps for grid>2^24: i repeats
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[2**20]", "n": "int"}, "where": ["1 <= grid <= 2**30"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  unsigned i = blockIdx.x * 256u + threadIdx.x;
  if (i < (1u << 20)) out[i] = i;
}
// SPDX-License-Identifier: MIT
