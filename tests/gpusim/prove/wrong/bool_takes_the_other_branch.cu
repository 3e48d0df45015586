// wrong: the contract says that the bool is false, and all threads write the first element then
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int", "flag": "bool"}, "where": ["1 <= n <= 2**20", "flag == 0", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n, bool flag) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flag) {
    if (i < n) out[i] = 1.0f;
  } else {
    out[0] = i;
  }
}
// SPDX-License-Identifier: MIT
