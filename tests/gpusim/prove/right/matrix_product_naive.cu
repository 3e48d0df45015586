// right: matrix product, naive
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[m*k]", "b": "float[k*n]", "c": "float[m*n]", "m": "int", "n": "int", "k": "int"}, "where": ["0 <= m <= 2**10", "0 <= n <= 2**10", "0 <= k <= 2**10", "grid == max(1,ceil_div(m*n,256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, float* b, float* c, int m, int n, int k) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < m * n) {
    int x = i % n, y = i / n;
    float s = 0;
    for (int j = 0; j < k; j++) s += a[y * k + j] * b[j * n + x];
    c[i] = s;
  }
}
// SPDX-License-Identifier: MIT
