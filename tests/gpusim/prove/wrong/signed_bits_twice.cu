// wrong: two threads have the same signed bits and the same rest
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
  int field;
  asm("bfe.s32 %0, %1, 4, 4;" : "=r"(field) : "r"(t));
  out[((field + 8) * 8 + t % 8) + 256 * blockIdx.x] = t;
}
// SPDX-License-Identifier: MIT
