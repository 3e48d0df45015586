// wrong: reduction last steps without syncwarp
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "int[1]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  for (int k = 16; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
  }
  if (t == 0) a[0] = s[0];
}
// SPDX-License-Identifier: MIT
