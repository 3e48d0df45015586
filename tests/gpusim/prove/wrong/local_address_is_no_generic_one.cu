// wrong: a local address is not the generic address of the same array
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]", "step": "unsigned"}, "where": ["grid <= 2**20", "step <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, unsigned step) {
  float mine[16];
  const int t = threadIdx.x;
  for (int j = 0; j < 16; ++j) mine[j] = t + j;
  mine[step % 16] = 3.0f;
  unsigned long long local, generic = (unsigned long long)mine;
  asm volatile("cvta.to.local.u64 %0, %1;" : "=l"(local) : "l"(generic));
  if (local != generic) out[0] = 5.0f;
  out[256 * blockIdx.x + t] = mine[t % 16];
}
// SPDX-License-Identifier: MIT
