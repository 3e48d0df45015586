// wrong: threads past n return before barrier (n % 256 != 0)
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  s[t] = i;
  __syncthreads();
  out[i] = s[t];
}
// SPDX-License-Identifier: MIT
