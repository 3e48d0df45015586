// wrong: seven bits need 128 elements
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[64]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const unsigned t = threadIdx.x;
  if (t % 2 == 0) out[t >> 1 & 127] = t;
}
// SPDX-License-Identifier: MIT
