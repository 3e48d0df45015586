// wrong: writes pairs if a bool says so, but nothing says that n is even then
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n] at 8", "n": "int", "flag": "bool"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n, bool flag) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flag) {
    if (2 * i < n) *(float2*)&out[2 * i] = make_float2(-1.0f, -1.0f);
  } else if (i < n) {
    out[i] = -1.0f;
  }
}
// SPDX-License-Identifier: MIT
