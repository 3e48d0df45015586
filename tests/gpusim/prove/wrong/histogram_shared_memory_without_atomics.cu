// wrong: histogram in shared memory without atomics
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "h": "int[256]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* h, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (i < n) s[a[i] & 255]++;
  __syncthreads();
  atomicAdd(h + t, s[t]);
}
// SPDX-License-Identifier: MIT
