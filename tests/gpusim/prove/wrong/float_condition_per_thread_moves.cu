// wrong: float condition per thread moves the index by one: threads t and t+1 collide where (float)t passes s
// contract: [{"kernel": "k", "block": [256], "parameters": {"b": "int[257]", "a": "int[257]", "s": "float", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* b, int* a, float s, int n) {
  int t = threadIdx.x;
  int u = s > 0.f ? 1 : 0;
  b[t + u] = 1;
  int v = (float)t < s ? 1 : 0;
  a[t + v] = t;
}
// SPDX-License-Identifier: MIT
