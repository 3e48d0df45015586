// wrong: syncwarp mask 0xffff leaves lanes out
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "int[32]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 16) __syncwarp(0xffff);
  a[t] = s[31 - t];
}
// SPDX-License-Identifier: MIT
