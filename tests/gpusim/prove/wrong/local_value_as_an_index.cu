// wrong: an index that was kept in a local array
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]", "step": "unsigned"}, "where": ["grid <= 2**20", "step <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, unsigned step) {
  int mine[16];
  const int t = threadIdx.x;
  for (int j = 0; j < 16; ++j) mine[j] = t + j;
  mine[step % 16] = 3;
  out[256 * blockIdx.x + mine[t % 16]] = 1.0f;
}
// SPDX-License-Identifier: MIT
