// wrong: two permutations write without a barrier between them
// contract: [{"kernel": "k", "block": [64], "parameters": {"a": "float[64]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  const int t = threadIdx.x;
  a[t ^ 1] = t;
  a[t ^ 2] = t;
}
// SPDX-License-Identifier: MIT
