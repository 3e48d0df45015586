// wrong: syncwarp orders only a warp, block is 33
// contract: [{"kernel": "k", "block": [33], "parameters": {"a": "int[33]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[33];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  a[t] = s[32 - t];
}
// SPDX-License-Identifier: MIT
