// wrong: a lane may return before the others wait for it
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[256 * grid]", "out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  if (in[256 * blockIdx.x + t] > 0.0f) return;
  tile[t] = t;
  __syncwarp();
  out[256 * blockIdx.x + t] = tile[t ^ 1];
}
// SPDX-License-Identifier: MIT
