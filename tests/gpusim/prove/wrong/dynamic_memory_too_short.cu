// wrong: dynamic shared memory has one float less than the block has threads
// contract: [{"kernel": "k", "block": [256], "shared": {"slots": "float[255]"}, "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  extern __shared__ float slots[];
  const int t = threadIdx.x;
  slots[t] = out[256 * blockIdx.x + t];
  __syncthreads();
  out[256 * blockIdx.x + t] = slots[255 - t];
}
// SPDX-License-Identifier: MIT
