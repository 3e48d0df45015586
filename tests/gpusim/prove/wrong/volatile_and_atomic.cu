// wrong: a volatile read of a counter to which others add
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[1]", "count": "int[1]"}, "where": ["grid == 2"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int* count) {
  volatile int* const counter = count;
  if (blockIdx.x == 0) atomicAdd(count, 1);
  if (blockIdx.x == 1 && threadIdx.x == 0) out[0] = *counter;
}
// SPDX-License-Identifier: MIT
