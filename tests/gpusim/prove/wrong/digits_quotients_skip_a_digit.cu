// wrong: t / 8 and t % 4 do not tell all threads apart
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  const int t = threadIdx.x;
  a[t / 8 * 8 + t % 4] = 1;
}
// SPDX-License-Identifier: MIT
