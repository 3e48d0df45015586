// wrong: the last block's slots with bit 8 the other way round
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i ^ 256] = 1.0f;
}
// SPDX-License-Identifier: MIT
