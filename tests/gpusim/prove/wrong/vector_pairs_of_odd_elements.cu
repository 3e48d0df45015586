// wrong: a pair at an odd element
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "float[65] at 16"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) { *(float2*)&a[2 * threadIdx.x + 1] = make_float2(1, 2); }
// SPDX-License-Identifier: MIT
