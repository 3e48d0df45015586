// wrong: grid-stride whose stride is grid*255: two threads meet
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[n]", "n": "int"}, "where": ["0 <= n <= 2**30", "1 <= grid <= 2**22"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (long j = i; j < n; j += (long)gridDim.x * 255) a[j] = 1;
}
// SPDX-License-Identifier: MIT
