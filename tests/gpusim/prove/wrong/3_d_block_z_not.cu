// wrong: 3-D block: z not in the index
// contract: [{"kernel": "k", "block": [8, 8, 4], "parameters": {"a": "int[64]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) { a[threadIdx.y * 8 + threadIdx.x] = threadIdx.z; }
// SPDX-License-Identifier: MIT
