// right: the bits of a thread's number above the lowest, and the lowest
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  float* const mine = out + 256 * blockIdx.x;
  mine[(t >> 1 & 127) * 2 + t % 2] = t;
}
// SPDX-License-Identifier: MIT
