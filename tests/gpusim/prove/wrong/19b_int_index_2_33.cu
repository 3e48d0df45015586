// wrong: 19b: int index of 2^33 elements repeats: m blocks, m>2^24
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256*m]", "m": "int", "n": "int"}, "where": ["1 <= m <= 2**25", "grid == m"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int m, int n) {
  unsigned i = blockIdx.x * 256u + threadIdx.x;
  a[i] = 1;
}
// SPDX-License-Identifier: MIT
