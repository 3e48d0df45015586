// wrong: shared array overrun into next: s[256+t] writes u
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  __shared__ int u[256];
  int t = threadIdx.x;
  s[t + 1] = t;
  u[t] = t;
  __syncthreads();
  a[t] = s[t] + u[t];
}
// SPDX-License-Identifier: MIT
