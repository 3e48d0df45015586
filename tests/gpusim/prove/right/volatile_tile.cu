// right: each thread adds to its own volatile slot, and reads another's behind a barrier
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  volatile float* const slot = &tile[t];
  *slot = 0.0f;
  for (int j = 0; j < 3; ++j) *slot = *slot + t;
  __syncthreads();
  out[256 * blockIdx.x + t] = tile[255 - t];
}
// SPDX-License-Identifier: MIT
