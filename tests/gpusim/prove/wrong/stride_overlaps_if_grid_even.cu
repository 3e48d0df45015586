// wrong: stride overlaps if grid is even: i*grid mod 1024 collide
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[1024]", "n": "int"}, "where": ["1 <= grid <= 1024"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) out[(t * gridDim.x) & 1023] = 1;
}
// SPDX-License-Identifier: MIT
