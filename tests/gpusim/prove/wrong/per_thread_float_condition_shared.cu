// wrong: per-thread float condition, shared after barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[257]", "b": "int[257]", "s": "float", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, float s, int n) {
  int t = threadIdx.x;
  int v = (float)t < s ? 1 : 0;
  int u = s > 7.f ? 1 : 0;
  b[t + u] = 1;
  a[t + v] = 1;
}
// SPDX-License-Identifier: MIT
