// wrong: threads below 5 take the bits of a negative number, as threads 128 further on do
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  float* const mine = out + 256 * blockIdx.x;
  mine[((t - 5) >> 1 & 63) * 2 + (t - 5) % 2] = t;
}
// SPDX-License-Identifier: MIT
