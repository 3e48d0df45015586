// right: prefix sum in a block (Hillis-Steele)
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int k = 1; k < 256; k *= 2) {
    int v = t >= k ? s[t - k] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  a[t] = s[t];
}
// SPDX-License-Identifier: MIT
