// wrong: the last of 200 turns leaves the array
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[199]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  if (blockIdx.x > 0 || threadIdx.x > 0) return;
#pragma unroll 1
  for (int j = 0; j < 200; ++j) out[j] = j;
}
// SPDX-License-Identifier: MIT
