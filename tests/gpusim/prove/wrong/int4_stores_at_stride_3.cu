// wrong: int4 stores at stride 3 elements: misaligned and overlapping
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[1024]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  *(int4*)(a + t * 3) = make_int4(1, 2, 3, 4);
}
// SPDX-License-Identifier: MIT
