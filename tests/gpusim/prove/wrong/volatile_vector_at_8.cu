// wrong: four volatile floats at once, of an array that begins at a multiple of 8 bytes
// contract: [{"kernel": "k", "block": [256], "parameters": {"in": "float[1024 * grid] at 8", "out": "float[256 * grid]"}, "where": ["grid <= 2**20"]}]
#include <cuda_runtime.h>

__global__ void k(float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x, y, z, w;
  asm volatile("ld.volatile.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
               : "l"(in + 4 * i));
  out[i] = x + y + z + w;
}
// SPDX-License-Identifier: MIT
