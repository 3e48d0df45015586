// wrong: pred xor unknown, shared by two selections
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[257]", "n": "int", "d": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n, int d) {
  int t = threadIdx.x;
  int u = ((n < 5) != (d < 9)) ? 1 : 0;
  int v = ((t < 5) != (d < t)) ? 1 : 0;
  a[t + u - u] = 0;
  a[t + v] = 1;
}
// SPDX-License-Identifier: MIT
