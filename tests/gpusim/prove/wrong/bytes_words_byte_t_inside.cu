// wrong: bytes and words: byte t inside word of thread t/4
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[256]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  if (t & 1) a[t] = 1;
  else ((char*)a)[t] = 1;
}
// SPDX-License-Identifier: MIT
