// wrong: scatter through shared-memory values, duplicates race
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[n]", "in": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int* in, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) s[t] = in[i];
  __syncthreads();
  if (i < n) {
    unsigned v = s[t];
    out[v % n] = t;
  }
}
// SPDX-License-Identifier: MIT
