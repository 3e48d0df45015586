// wrong: a thread reads the local array of its neighbour through a pointer
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float* pointers[256];
  float mine[16];
  const int t = threadIdx.x;
  for (int j = 0; j < 16; ++j) mine[j] = t + j;
  pointers[t] = mine;
  __syncthreads();
  out[256 * blockIdx.x + t] = pointers[t ^ 1][t % 16];
}
// SPDX-License-Identifier: MIT
