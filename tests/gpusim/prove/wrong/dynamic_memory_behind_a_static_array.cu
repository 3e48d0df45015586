// wrong: a static array is left for the dynamic memory behind it
// contract: [{"kernel": "k", "block": [256], "shared": {"slots": "float[256]"}, "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  extern __shared__ float slots[];
  __shared__ float fixed[64];
  const int t = threadIdx.x;
  fixed[t] = t;
  __syncthreads();
  slots[t] = fixed[t];
  out[256 * blockIdx.x + t] = slots[t];
}
// SPDX-License-Identifier: MIT
