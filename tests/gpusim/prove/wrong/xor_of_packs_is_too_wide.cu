// wrong: 16 packs a row, swizzled by rows 0 ... 31
// contract: [{"kernel": "k", "block": [512], "parameters": {"a": "float4[512]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float4* a) {
  __shared__ float4 s[512];
  const int t = threadIdx.x, y = t / 16, pack = t % 16;
  s[y * 16 + (pack ^ y)] = a[t];
  __syncthreads();
  a[t] = s[t];
}
// SPDX-License-Identifier: MIT
