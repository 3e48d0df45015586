// wrong: lanes shuffle where memory says so
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[256 * grid]", "out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  if (x > 0.0f) x = __shfl_down_sync(0xffffffff, x, 1);
  out[i] = x;
}
// SPDX-License-Identifier: MIT
