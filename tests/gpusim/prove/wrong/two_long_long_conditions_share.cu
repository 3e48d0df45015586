// wrong: two long long conditions share a selection
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[512]", "s": "long long", "r": "long long", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, long long s, long long r, int n) {
  int t = threadIdx.x;
  int x = s > 0 ? 1 : 256, y = r > 0 ? 1 : 256;
  asm volatile("mov.u32 %0,%0;" : "+r"(x));
  asm volatile("mov.u32 %0,%0;" : "+r"(y));
  a[t + x - y] = 1;
}
// SPDX-License-Identifier: MIT
