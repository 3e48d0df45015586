// wrong: a thread writes its slot, and the one with bit 3 the other way round
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float tile[256];
  const unsigned t = threadIdx.x;
  tile[t] = t;
  tile[t ^ 8] = 1.0f;
  __syncthreads();
  out[256 * blockIdx.x + t] = tile[t];
}
// SPDX-License-Identifier: MIT
