// wrong: t ^ (30 - t) is the same for t and 30 - t
// contract: [{"kernel": "k", "block": [31], "parameters": {"a": "float[32]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  const int t = threadIdx.x;
  a[t ^ (30 - t)] = 1;
}
// SPDX-License-Identifier: MIT
