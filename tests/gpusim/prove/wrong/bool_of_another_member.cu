// wrong: the contract says something of the second bool, the kernel asks for the first
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int", "flags": {"first": "bool", "second": "bool"}}, "where": ["1 <= n <= 2**20", "second == 1", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

struct Flags {
  bool first, second;
};
__global__ void k(float* out, int n, Flags flags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flags.first) {
    if (i < n) out[i] = 1.0f;
  } else {
    out[0] = i;
  }
}
// SPDX-License-Identifier: MIT
