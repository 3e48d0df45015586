// wrong: what xor takes away is added again
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid + 8]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  out[256 * blockIdx.x + (t ^ 6) + (t & 6) - 6 + t % 2] = 1.0f;
}
// SPDX-License-Identifier: MIT
