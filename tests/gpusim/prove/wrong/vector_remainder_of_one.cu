// wrong: rows whose length is one more than a multiple of 4
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[m * n] at 16", "b": "float[m * n] at 16", "m": "int", "n": "int"}, "where": ["0 <= m <= 2**30", "0 <= n <= 2**30", "m * n <= 2**30", "grid == m", "m >= 1", "n % 4 == 1"]}]
#include <cuda_runtime.h>

__global__ void k(const float* a, float* b, int m, int n) {
  const int row = blockIdx.x, column = 4 * threadIdx.x;
  if (row < m && column < n) *(float4*)&b[row * n + column] = *(const float4*)&a[row * n + column];
}
// SPDX-License-Identifier: MIT
