// wrong: a swizzled tile is read before it is complete
// contract: [{"kernel": "k", "block": [32, 32], "parameters": {"a": "float[1024]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ float s[1024];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * 32 + (x ^ y)] = a[y * 32 + x];
  a[y * 32 + x] = s[x * 32 + (y ^ x)];
}
// SPDX-License-Identifier: MIT
