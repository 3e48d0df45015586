// wrong: barrier that divides: h written before, read behind a barrier only some threads come to (float x as above)
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "b": "int[256]", "s": "float", "r": "float", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, float s, float r, int n) {
  __shared__ int h[256];
  int t = threadIdx.x;
  float x;
  if (t < 128) {
    a[t] = 1;
    asm volatile("membar.cta;");
    x = s;
  } else {
    b[t] = 2;
    asm volatile("membar.gl;");
    x = r;
  }
  h[t] = t;
  if (x > 0.f) {
    __syncthreads();
    a[t] = h[255 - t];
  }
}
// SPDX-License-Identifier: MIT
