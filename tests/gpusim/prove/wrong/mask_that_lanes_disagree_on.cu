// wrong: each lane has a mask of its own
// contract: [{"kernel": "k", "block": [32], "parameters": {"a": "int[32]", "count": "int"}, "where": ["grid == 1", "1 <= count <= 32"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int count) {
  const int t = threadIdx.x, lane = t % 32;
  int value = a[t];
  const unsigned members = 0xffffffffu >> (31 - lane);
  if (lane < count) value = __shfl_sync(members, value, 0);
  a[t] = value;
}
// SPDX-License-Identifier: MIT
