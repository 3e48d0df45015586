// wrong: four floats at once from dynamic shared memory of floats
// contract: [{"kernel": "k", "block": [256], "shared": {"slots": "float[256]"}, "parameters": {"out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* out) {
  extern __shared__ float slots[];
  const int t = threadIdx.x;
  slots[t] = t;
  __syncthreads();
  float4 four;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
               : "l"(__cvta_generic_to_shared(slots + t / 4 * 4)));
  out[256 * blockIdx.x + t] = four.x + four.y + four.z + four.w;
}
// SPDX-License-Identifier: MIT
