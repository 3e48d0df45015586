// right: dot product per block, grid-stride
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[n]", "b": "float[n]", "c": "float[grid]", "n": "int"}, "where": ["0 <= n <= 2**30", "1 <= grid <= 2**22"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, float* b, float* c, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float v = 0;
  for (long j = blockIdx.x * 256l + t; j < n; j += gridDim.x * 256l) v += a[j] * b[j];
  s[t] = v;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) c[blockIdx.x] = s[0];
}
// SPDX-License-Identifier: MIT
