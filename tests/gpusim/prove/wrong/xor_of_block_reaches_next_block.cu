// wrong: the block's number is wider than the row that it swizzles
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "float[32 * grid]"}, "where": ["grid == 64"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) { a[blockIdx.x * 32 + (threadIdx.x ^ blockIdx.x)] = 1; }
// SPDX-License-Identifier: MIT
