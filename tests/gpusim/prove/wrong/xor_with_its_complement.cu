// wrong: t ^ (31 - t) is 31 for all threads
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "float[32]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  const int t = threadIdx.x;
  a[t ^ (31 - t)] = 1;
}
// SPDX-License-Identifier: MIT
