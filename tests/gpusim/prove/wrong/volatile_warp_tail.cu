// wrong: the last warp adds its volatile slots and waits for no lane
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ volatile float tile[256];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  if (t < 32) {
    tile[t] = tile[t] + tile[t + 32];
    tile[t] = tile[t] + tile[t + 16];
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}
// SPDX-License-Identifier: MIT
