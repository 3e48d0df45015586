// wrong: bit 4 counts twice, so other threads write the same element
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  float* const mine = out + 256 * blockIdx.x;
  mine[(t >> 1 & 15) + 8 * (t >> 4 & 15) + t % 2 * 128] = t;
}
// SPDX-License-Identifier: MIT
