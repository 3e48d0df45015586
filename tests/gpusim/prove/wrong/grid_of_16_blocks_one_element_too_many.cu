// wrong: 16 blocks write 4097 elements
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[4096]"}, "where": ["grid == 16"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first <= 256 * gridDim.x) out[first + 1] = 1.0f;
}
// SPDX-License-Identifier: MIT
