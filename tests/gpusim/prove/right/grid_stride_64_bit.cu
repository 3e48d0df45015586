// right: grid-stride, 64-bit
// contract: [{"kernel": "k", "block": [256], "parameters": {"x": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**30", "1 <= grid <= 2**22"]}]
#include <cuda_runtime.h>

__global__ void k(float* x, int n) {
  for (long j = blockIdx.x * 256l + threadIdx.x; j < n; j += gridDim.x * 256l) x[j] *= 2;
}
// SPDX-License-Identifier: MIT
