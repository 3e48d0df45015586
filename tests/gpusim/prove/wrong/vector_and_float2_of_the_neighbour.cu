// wrong: a pair begins where the next thread's pack does
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[1028] at 16"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  const int t = threadIdx.x;
  *(float4*)&a[4 * t] = make_float4(1, 2, 3, 4);
  *(float2*)&a[4 * t + 4] = make_float2(1, 2);
}
// SPDX-License-Identifier: MIT
