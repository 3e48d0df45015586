// wrong: a thread reads what another writes, without a barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float tile[256];
  const unsigned t = threadIdx.x;
  float* const mine = out + 256 * blockIdx.x;
  tile[(t >> 1 & 127) * 2 + t % 2] = t;
  mine[t] = tile[255 - t];
}
// SPDX-License-Identifier: MIT
