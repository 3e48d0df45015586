// wrong: each thread writes 1000 elements of its 999
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256000 * grid]"}, "where": ["grid <= 2**10"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int t = threadIdx.x;
#pragma unroll 1
  for (int j = 0; j < 1000; ++j) out[(256 * blockIdx.x + t) * 999 + j] = j;
}
// SPDX-License-Identifier: MIT
