// wrong: tile loop: tail tile shorter, reads s beyond what is written in an earlier round (race)
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "b": "int[n]", "n": "int"}, "where": ["1 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int* b, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 256) {
    if (k + t < n) s[t] = a[k + t];
    __syncthreads();
    if (k + t < n) b[k + t] = s[255 - t];
  }
}
// SPDX-License-Identifier: MIT
