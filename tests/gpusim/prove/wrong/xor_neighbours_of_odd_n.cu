// wrong: neighbours of an array of odd length change places
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**30", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i ^ 1] = 1.0f;
}
// SPDX-License-Identifier: MIT
