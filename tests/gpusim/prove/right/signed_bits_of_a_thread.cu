// right: signed bits of a thread's number, from -128 to 127
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
  int field;
  asm("bfe.s32 %0, %1, 0, 8;" : "=r"(field) : "r"(t));
  out[(field + 128) + 256 * blockIdx.x] = t;
}
// SPDX-License-Identifier: MIT
