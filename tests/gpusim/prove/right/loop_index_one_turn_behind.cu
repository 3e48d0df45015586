// right: an index follows another one, a turn behind
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[51200 * grid]"}, "where": ["grid <= 2**10"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned first = (256 * blockIdx.x + threadIdx.x) * 200;
  unsigned behind = first, ahead = first + 1;
#pragma unroll 1
  for (int j = 0; j < 200; ++j) {
    out[behind] = j;
    asm("mov.u32 %0, %1;"
        : "=r"(behind)
        : "r"(ahead));  // so that clang does not see that the two differ by 1
    ++ahead;
  }
}
// SPDX-License-Identifier: MIT
