// expect-finding: race 19
// expect-text: reads *part while thread 0
// advice: put __threadfence() between reading the flag and this
// Every thread of the block waits for a volatile flag in global memory, which one of them sets. That is no race of the flag. But
// without a fence of its own, a thread that has seen the flag may still read what was there before.
#include <cuda_runtime.h>

__global__ void pass(int* part, volatile int* ready, int* out) {
  const int t = threadIdx.x;
  if (t == 0) {
    part[0] = 7;
    __threadfence();
    *ready = 1;
  }
  while (*ready == 0) {}
#ifdef FIXED
  __threadfence();
#endif
  out[t] = part[0];
}

int main() {
  int *part, *ready, *out;
  cudaMalloc(&part, sizeof *part);
  cudaMalloc(&ready, sizeof *ready);
  cudaMalloc(&out, 64 * sizeof *out);
  cudaMemset(ready, 0, sizeof *ready);
  pass<<<1, 64>>>(part, ready, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(part);
  cudaFree(ready);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
