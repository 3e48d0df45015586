// wrong: barrier under uniform-looking condition n<t
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  if (t < n) __syncthreads();
  a[t] = s[t];
}
// SPDX-License-Identifier: MIT
