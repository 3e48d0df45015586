// wrong: predicated stores: condition t<=16 and t>=16 both hold at 16, other element
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "int[257]", "n": "int"}, "where": ["grid == 1"]}]
#include <cuda_runtime.h>

__global__ void k(int* a, int n) {
  int t = threadIdx.x;
  if (t <= 16) a[t + 1] = 1;
  if (t >= 16) a[t] = 2;
}
// SPDX-License-Identifier: MIT
