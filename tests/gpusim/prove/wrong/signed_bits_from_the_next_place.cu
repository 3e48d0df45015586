// wrong: signed bits from bit 1 on
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
  int field;
  asm("bfe.s32 %0, %1, 1, 7;" : "=r"(field) : "r"(t));
  out[(field + 64) + 256 * blockIdx.x] = t;
}
// SPDX-License-Identifier: MIT
