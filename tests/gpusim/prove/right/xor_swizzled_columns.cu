// right: a tile of 32 x 8, swizzled by rows
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"a": "float[256]", "b": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(const float* a, float* b) {
  __shared__ float s[256];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * 32 + (x ^ y)] = a[y * 32 + x];
  __syncthreads();
  b[y * 32 + x] = s[y * 32 + ((31 - x) ^ y)];
}
// SPDX-License-Identifier: MIT
