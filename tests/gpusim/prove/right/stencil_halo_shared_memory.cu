// right: stencil with halo in shared memory
// contract: [{"kernel": "k", "block": [256], "parameters": {"a": "float[n]", "b": "float[n]", "n": "int"}, "where": ["0 <= n <= 2**20", "grid == max(1, ceil_div(n, 256))"]}]
#include <cuda_runtime.h>

__global__ void k(float* a, float* b, int n) {
  __shared__ float s[258];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + threadIdx.x;
  s[t + 1] = i < n ? a[i] : 0;
  if (t == 0) s[0] = i > 0 && i <= n ? a[i - 1] : 0;
  if (t == 255) s[257] = i + 1 < n ? a[i + 1] : 0;
  __syncthreads();
  if (i < n) b[i] = s[t] + s[t + 1] + s[t + 2];
}
// SPDX-License-Identifier: MIT
