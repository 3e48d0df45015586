// wrong: the contract says that one bool is true, but the kernel needs both
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n]", "n": "int", "flags": {"first": "bool", "second": "bool"}}, "where": ["1 <= n <= 2**20", "first == 1", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

struct Flags {
  bool first, second;
};
__global__ void k(float* out, int n, Flags flags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (flags.first && flags.second) {
    if (i < n) out[i] = 1.0f;
  } else {
    out[0] = i;
  }
}
// SPDX-License-Identifier: MIT
