// wrong: x ^ (x & 16) is x without bit 4
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "float[32]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ float s[32];
  const int x = threadIdx.x;
  s[x ^ (x & 16)] = a[x];
  __syncthreads();
  a[x] = s[x];
}
// SPDX-License-Identifier: MIT
