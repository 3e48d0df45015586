// wrong: a slot whose bit 6 is the other way round is read without a barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float tile[256];
  const unsigned t = threadIdx.x;
  tile[t] = t;
  out[256 * blockIdx.x + t] = tile[t ^ 64];
}
// SPDX-License-Identifier: MIT
