// wrong: two float conditions, opaque moves: a[t+x-y] leaves the array for s>0>=r
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[512]", "s": "float", "r": "float", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, float s, float r, int n) {
  int t = threadIdx.x;
  int x = s > 0.f ? 1 : 256, y = r > 0.f ? 1 : 256;
  asm volatile("mov.u32 %0,%0;" : "+r"(x));
  asm volatile("mov.u32 %0,%0;" : "+r"(y));
  a[t + x - y] = 1;
}
// SPDX-License-Identifier: MIT
