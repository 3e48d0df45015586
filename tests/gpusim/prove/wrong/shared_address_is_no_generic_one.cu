// wrong: a shared address is not the generic address of the same array
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  __shared__ float tile[256];
  const unsigned t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  unsigned long long shared, generic = (unsigned long long)tile;
  asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(shared) : "l"(generic));
  if (shared != generic) out[0] = 5.0f;
  out[256 * blockIdx.x + t] = tile[255 - t];
}
// SPDX-License-Identifier: MIT
