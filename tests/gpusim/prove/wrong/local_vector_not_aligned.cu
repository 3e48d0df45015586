// wrong: four floats at once from a local array that begins at a multiple of 4 bytes
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[256 * grid]", "step": "unsigned"}, "where": ["grid <= 2**20", "step <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, unsigned step) {
  float mine[16];
  const int t = threadIdx.x;
  for (int j = 0; j < 16; ++j) mine[j] = t + j;
  mine[step % 16] = 3.0f;
  float x, y, z, w;
  unsigned long long at;
  asm volatile("cvta.to.local.u64 %0, %1;" : "=l"(at) : "l"(mine + step % 4));
  asm volatile("ld.local.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(at));
  out[256 * blockIdx.x + t] = x + y + z + w + mine[t % 16];
}
// SPDX-License-Identifier: MIT
