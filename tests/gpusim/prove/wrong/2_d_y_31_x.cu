// wrong: 2-D y*31+x collides
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) { a[threadIdx.y * 31 + threadIdx.x] = 1; }
// SPDX-License-Identifier: MIT
