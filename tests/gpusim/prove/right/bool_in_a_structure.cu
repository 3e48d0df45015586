// right: the second of two bools, in a structure, moves all writes by one element
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[n + 1]", "n": "int", "flags": {"first": "bool", "second": "bool"}}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

struct Flags {
  bool first, second;
};
__global__ void k(float* out, int n, Flags flags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + flags.second] = 1.0f;
}
// SPDX-License-Identifier: MIT
