// wrong: the last of 16 reads lies beyond the array
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[256]"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(float* a) {
  __shared__ float s[4096];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
#pragma unroll
  for (int i = 0; i < 16; ++i) s[i * 256 + t] = a[t] + i;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) sum += s[i * 256 + t + (i == 15)];
  a[t] = sum;
}
// SPDX-License-Identifier: MIT
