// wrong: barrier in loop whose trips depend on thread
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int k = 0; k < t; k++) {
    s[t] = k;
    __syncthreads();
  }
  out[t] = s[t];
}
// SPDX-License-Identifier: MIT
