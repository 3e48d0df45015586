// wrong: each thread reads elements of packs that others store
// contract: [{"kernel": "k", "block": [128], "parameters": {"a": "float4[128]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float4* a) {
  __shared__ float4 s[128];
  const int t = threadIdx.x;
  s[t] = a[t];
  a[t].x = s[(t + 1) % 128].y;
}
// SPDX-License-Identifier: MIT
