// wrong: one signed bit is 0 or -1, not 1
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
  int field;
  asm("bfe.s32 %0, %1, 7, 1;" : "=r"(field) : "r"(t));
  out[(t % 128 + 128 * field + 64) + 256 * blockIdx.x] = t;
}
// SPDX-License-Identifier: MIT
