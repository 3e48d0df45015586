// expect-finding: race 21
// advice: put __threadfence_block() between the two
// The last warp adds up what all have left, and knows that it is the last by an atomic: what the others wrote is sure to be
// seen only if a fence stands behind it, too.
#include <cuda_runtime.h>

__global__ void sum(int* out) {
  __shared__ int part[8];
  __shared__ unsigned arrived;
  const int t = threadIdx.x;
  if (t == 0) arrived = 0;
  __syncthreads();
  if (t % 32 != 0) return;
  part[t / 32] = t;
  __threadfence_block();
  if (atomicAdd(&arrived, 1u) != 7) return;
#ifdef FIXED
  __threadfence_block();
#endif
  int all = 0;
  for (int w = 0; w < 8; ++w) all += part[w];
  *out = all;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof *out);
  sum<<<1, 256>>>(out);
  int sum_of_all = 0;
  cudaMemcpy(&sum_of_all, out, sizeof sum_of_all, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return sum_of_all != 896;
}
// SPDX-License-Identifier: MIT
