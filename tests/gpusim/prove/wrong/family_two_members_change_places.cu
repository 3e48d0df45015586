// wrong: one of 64 stores lies in the row of another
// contract: [{"kernel": "k", "block": [256], "parameters": {"c": "float[m * ld]", "m": "int", "n": "int", "ld": "int"}, "where": ["0 <= m <= 2**30", "0 <= n <= 2**30", "0 <= ld <= 2**30", "m * ld <= 2**30", "n <= ld", "grid == max(1, ceil_div(m, 128)) * max(1, ceil_div(n, 128))"]}]
#include <cuda_runtime.h>

__global__ void k(float* c, int m, int n, int ld) {
  const int across = n == 0 ? 1 : (n - 1) / 128 + 1, first = blockIdx.x / across * 128,
            left = blockIdx.x % across * 128;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int row = first + y + 16 * (i == 7 && j == 0 ? 6 : i),
                column = left + x + 16 * j + (i == 7 && j == 0 ? 15 - 2 * x : 0);
      if (row < m && column < n) c[row * ld + column] = 1;
    }
}
// SPDX-License-Identifier: MIT
