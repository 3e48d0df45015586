// wrong: syncwarp where syncthreads needed
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  a[t] = s[255 - t];
}
// SPDX-License-Identifier: MIT
