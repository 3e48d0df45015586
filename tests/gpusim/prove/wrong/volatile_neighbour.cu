// wrong: a volatile slot is read by the neighbour without a barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float tile[256];
  volatile float* const slots = tile;
  const int t = threadIdx.x;
  slots[t] = t;
  out[256 * blockIdx.x + t] = slots[t ^ 1];
}
// SPDX-License-Identifier: MIT
