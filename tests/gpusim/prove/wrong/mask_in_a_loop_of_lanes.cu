// wrong: lanes leave a loop one after the other, and the mask stays
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "int[32]", "count": "int"}, "where": ["grid == 1", "1 <= count <= 32"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int count) {
  const int lane = threadIdx.x;
  int value = a[lane];
  for (int i = lane; i < count; ++i) value += __shfl_sync(0xffffffffu >> (32 - count), value, 0);
  a[lane] = value;
}
// SPDX-License-Identifier: MIT
