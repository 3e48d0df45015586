// wrong: the xor of row and column is the same for many threads
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"a": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ float s[32];
  s[threadIdx.x ^ threadIdx.y] = a[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  a[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x];
}
// SPDX-License-Identifier: MIT
