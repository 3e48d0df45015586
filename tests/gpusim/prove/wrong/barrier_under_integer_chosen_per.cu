// wrong: barrier under an integer chosen by a per-thread float condition, after a uniform one
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[257]", "b": "int[257]", "s": "float", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, float s, int n) {
  __shared__ int h[256];
  int t = threadIdx.x;
  int u = s > 0.f ? 1 : 0;
  asm volatile("mov.u32 %0,%0;" : "+r"(u));
  int v = (float)t < s ? 1 : 0;
  asm volatile("mov.u32 %0,%0;" : "+r"(v));
  h[t] = u;
  if (v == 1) __syncthreads();
  a[t] = h[t];
}
// SPDX-License-Identifier: MIT
