// wrong: threads of two blocks write one volatile element
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  volatile float* const to = out;
  to[threadIdx.x + blockIdx.x / 2 * 256] = 1.0f;
}
// SPDX-License-Identifier: MIT
