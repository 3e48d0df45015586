// wrong: two float conditions: x and y differ, a[t+x-y] leaves the array for s>0>=r
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "s": "float", "r": "float", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, float s, float r, int n) {
  int t = threadIdx.x;
  int x = s > 0.f ? 0 : 256, y = r > 0.f ? 0 : 256;
  a[t + x - y] = 1;
}
// SPDX-License-Identifier: MIT
