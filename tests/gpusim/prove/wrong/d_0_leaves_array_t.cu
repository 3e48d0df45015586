// wrong: d<=0 leaves the array: a[t+q+300]
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[512]", "d": "int", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int d, int n) {
  unsigned t = threadIdx.x;
  unsigned q = 0;
  if (d > 0) q = t / (unsigned)d;
  a[t + q + (d <= 0 ? 300u : 0u)] = 1;
}
// SPDX-License-Identifier: MIT
