// wrong: t ^ n leaves the array if n is over 63
// contract: [{"kernel": "k", "block": [64], "parameters": {"a": "float[64]", "n": "int"}, "where": ["grid == 1", "0 <= n <= 64"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, int n) { a[threadIdx.x ^ n] = 1; }
// SPDX-License-Identifier: MIT
