// wrong: threads come to a barrier if memory says so
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[256 * grid]", "out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  tile[t] = t;
  if (in[256 * blockIdx.x + t] > 0.0f) __syncthreads();
  out[256 * blockIdx.x + t] = tile[t];
}
// SPDX-License-Identifier: MIT
