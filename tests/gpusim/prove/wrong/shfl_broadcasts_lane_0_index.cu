// wrong: shfl broadcasts lane 0 index: 32 lanes write one element
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  int t = threadIdx.x;
  int j = __shfl_sync(~0u, t, 0);
  out[j] = t;
}
// SPDX-License-Identifier: MIT
