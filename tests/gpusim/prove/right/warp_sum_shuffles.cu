// right: warp sum with shuffles
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[8*grid]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int n) {
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + threadIdx.x;
  int v = i < n ? a[i] : 0;
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);
  if (t % 32 == 0) b[blockIdx.x * 8 + t / 32] = v;
}
// SPDX-License-Identifier: MIT
