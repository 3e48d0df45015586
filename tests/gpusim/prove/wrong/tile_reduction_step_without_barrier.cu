// wrong: tile reduction step without barrier inside a warp-size 64 stage
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[1]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int k = 128; k > 32; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 64) s[t] += s[t + 1];
  if (t == 0) a[0] = s[0];
}
// SPDX-License-Identifier: MIT
