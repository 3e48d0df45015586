// wrong: packs in rows of 33 floats
// contract: [{"kernel": "k", "block": [32, 8], "parameters": {"a": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ __align__(16) float s[33 * 32];
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < 8) *(float4*)&s[33 * y + 4 * x] = make_float4(1, 2, 3, 4);
  __syncthreads();
  a[y * 32 + x] = s[33 * y + x];
}
// SPDX-License-Identifier: MIT
