// wrong: block 1 reads what block 0 wrote before a volatile flag
// contract: [{"kernel": "k", "block": [256], "parameters": {"out": "float[2]", "flags": "int[1]"}, "where": ["grid == 2"]}]
#include <cuda_runtime.h>

__global__ void k(float* out, int* flags) {
  __shared__ int seen;
  volatile int* const flag = flags;
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    out[1] = 5.0f;
    __threadfence();
    flag[0] = 1;
  }
  if (threadIdx.x == 0 && blockIdx.x == 1) {
    seen = flag[0];
    out[0] = out[1] + seen;
  }
}
// SPDX-License-Identifier: MIT
