// wrong: __syncwarp() of some lanes, and all read what others wrote
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "int[32]", "count": "int"}, "where": ["grid == 1", "1 <= count <= 32"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int count) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = a[t];
  if (t < count) __syncwarp(0xffffffffu >> (32 - count));
  a[t] = s[31 - t];
}
// SPDX-License-Identifier: MIT
