// right: a grid that is one block writes no element twice
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  if (gridDim.x == 1) out[threadIdx.x] = 1.0f;
}
// SPDX-License-Identifier: MIT
