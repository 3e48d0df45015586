// right: bits 2 to 5 of a thread's number and the others change places
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  float* const mine = out + 256 * blockIdx.x;
  mine[(t >> 2 & 15) + 16 * (t % 4) + t / 64 * 64] = t;
}
// SPDX-License-Identifier: MIT
