// wrong: union of two shared arrays: same bytes
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ union {
    int x[256];
    float y[256];
  } u;
  int t = threadIdx.x;
  u.x[t] = t;
  u.y[255 - t] = 1;
  __syncthreads();
  a[t] = u.x[t];
}
// SPDX-License-Identifier: MIT
