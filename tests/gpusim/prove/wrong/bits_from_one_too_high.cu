// wrong: bit 1 is missing, so threads 0 and 2 write the same element
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  float* const mine = out + 256 * blockIdx.x;
  mine[(t >> 2 & 63) * 2 + t % 2] = t;
}
// SPDX-License-Identifier: MIT
