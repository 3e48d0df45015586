// wrong: a swizzle whose lowest bit is cleared
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"a": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ float s[256];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * 32 + ((x ^ y) & 30)] = a[y * 32 + x];
  __syncthreads();
  a[y * 32 + x] = s[y * 32 + x];
}
// SPDX-License-Identifier: MIT
