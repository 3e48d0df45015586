// wrong: bit 2 the other way round, and bits 0 to 2 left out
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  out[256 * blockIdx.x + (t ^ 4) / 8] = 1.0f;
}
// SPDX-License-Identifier: MIT
