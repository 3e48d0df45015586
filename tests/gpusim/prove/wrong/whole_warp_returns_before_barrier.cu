// wrong: whole warp returns before barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t >= 224) return;
  s[t] = t;
  __syncthreads();
  a[t] = s[223 - t];
}
// SPDX-License-Identifier: MIT
