// wrong: two blocks write the same elements
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256]"}, "where": ["grid == 2"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  if (gridDim.x == 2) out[threadIdx.x] = 1.0f;
}
// SPDX-License-Identifier: MIT
