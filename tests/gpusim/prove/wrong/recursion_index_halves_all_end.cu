// wrong: recursion: index halves, all end at 0
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>
__device__ __noinline__ void f(int* a, int t) {
  if (t > 0) f(a, t / 2);
  else a[0] = t;
}
__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  f(a, t);
}
// SPDX-License-Identifier: MIT
