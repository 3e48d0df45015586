// wrong: 32 columns are swizzled into rows of 16
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"a": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ float s[256];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * 16 + (x ^ y)] = a[y * 32 + x];
  __syncthreads();
  a[y * 32 + x] = s[y * 32 + x];
}
// SPDX-License-Identifier: MIT
