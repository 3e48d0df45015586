// right: a block reverses its elements in dynamic shared memory
// contract: [{"kernel": "k", "block": [256], "shared": {"slots": "float[256]"}, "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  extern __shared__ float slots[];
  const int t = threadIdx.x;
  slots[t] = out[256 * blockIdx.x + t];
  __syncthreads();
  out[256 * blockIdx.x + t] = slots[255 - t];
}
// SPDX-License-Identifier: MIT
