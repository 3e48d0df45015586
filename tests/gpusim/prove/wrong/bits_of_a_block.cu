// wrong: seven bits of the block's number are the same for blocks 0 and 256
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * 128]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) { out[(blockIdx.x >> 1 & 127) * 256 + threadIdx.x] = blockIdx.x; }
// SPDX-License-Identifier: MIT
