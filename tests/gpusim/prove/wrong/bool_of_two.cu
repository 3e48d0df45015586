// wrong: a contract whose bool is 2 allows no launch, so nothing follows from it
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int", "flag": "bool"}, "where": ["1 <= n <= 2**20", "flag == 2", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n, bool flag) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[0] = i;
}
// SPDX-License-Identifier: MIT
