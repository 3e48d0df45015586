// wrong: 2-D block 32x8 uses only threadIdx.x: 8 rows race
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"a": "int[32]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) { a[threadIdx.x] = threadIdx.y; }
// SPDX-License-Identifier: MIT
