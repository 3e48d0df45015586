// wrong: two blocks overlap: block stride 255
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[256*grid]", "n": "int"}, "where": ["1 <= grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  out[blockIdx.x * 255 + t] = 1;
}
// SPDX-License-Identifier: MIT
