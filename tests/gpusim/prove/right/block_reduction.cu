// right: block reduction
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[grid]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + threadIdx.x;
  s[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) b[blockIdx.x] = s[0];
}
// SPDX-License-Identifier: MIT
