// wrong: contradictory contract (vacuous), kernel writes a[-1]
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["n >= 5", "n <= 3", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) { a[-1] = 1; }
// SPDX-License-Identifier: MIT
