// wrong: dynamic shared memory of n floats, and the last index is n
// contract: [{"kernel": "k", "block": [256], "shared": {"slots": "float[n]"}, "parameters": {"out": "float[256 * grid]", "n": "int"}, "where": ["grid <= 2**20", "0 <= n <= 50000"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int n) {
  extern __shared__ float slots[];
  const int t = threadIdx.x;
  for (int i = t; i <= n; i += 256) slots[i] = i;
  __syncthreads();
  if (t < n) out[blockIdx.x * 256 + t] = slots[n - 1 - t];
}
// SPDX-License-Identifier: MIT
