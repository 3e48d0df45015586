// wrong: x ^ (x + y) is not one to one in x
// contract: [{"kernel": "k", "block": [16, 16], "parameters": {"a": "float[512]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ float s[512];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * 32 + (x ^ (x + y))] = a[y * 16 + x];
  __syncthreads();
  a[y * 16 + x] = s[y * 32 + x];
}
// SPDX-License-Identifier: MIT
