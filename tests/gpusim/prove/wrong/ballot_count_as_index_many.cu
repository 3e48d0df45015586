// wrong: ballot count as index: many lanes write out[popc]
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "int[33]", "in": "int[n]", "n": "int"}, "where": ["256 <= n <= 2**20", "grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* out, int* in, int n) {
  int t = threadIdx.x;
  unsigned m = __ballot_sync(~0u, in[t] > 0);
  out[__popc(m)] = t;
}
// SPDX-License-Identifier: MIT
