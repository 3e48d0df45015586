// wrong: an index of 0 or less with bit 4 the other way round
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int i = -(int)threadIdx.x;
  out[i ^ 16] = 1.0f;
}
// SPDX-License-Identifier: MIT
