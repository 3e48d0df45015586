// wrong: t / 4 / 8 where t / 4 / 4 is meant
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  const int t = threadIdx.x;
  a[t / 4 / 8 * 16 + t % 16] = 1;
}
// SPDX-License-Identifier: MIT
