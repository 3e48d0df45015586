// wrong: columns of 32 with bits 3 and 4 the other way round, in rows of 16
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"out": "float[grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float tile[160];
  tile[threadIdx.y * 16 + (threadIdx.x ^ 24)] = 1.0f;
}
// SPDX-License-Identifier: MIT
