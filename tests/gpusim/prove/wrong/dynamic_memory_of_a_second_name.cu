// wrong: the contract says how long one of two dynamic arrays is
// contract: [{"kernel": "k", "block": [256], "shared": {"slots": "float[256]"}, "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  extern __shared__ float slots[];
  extern __shared__ float others[];
  const int t = threadIdx.x;
  slots[t] = t;
  others[255 - t] = 2 * t;
  __syncthreads();
  out[256 * blockIdx.x + t] = slots[t];
}
// SPDX-License-Identifier: MIT
