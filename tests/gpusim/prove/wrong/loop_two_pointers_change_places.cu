// wrong: two pointers change places in each turn, and the first turn adds 1
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]", "n": "int"}, "where": ["grid <= 2**20", "0 <= n <= 1000"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  const int t = threadIdx.x;
  float* const mine = out + 256 * blockIdx.x;
  int one = t, other = t + 1;
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    mine[one % 256] = j;
    const int kept = one;
    one = other;
    other = kept;
  }
}
// SPDX-License-Identifier: MIT
