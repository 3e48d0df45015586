// expect-finding: out of bounds 8
// expect-text: , and the memory of in has been freed
// expect-text: has been freed
// The input is freed before the kernel that reads it is launched.
#include <cuda_runtime.h>

__global__ void twice(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, 32 * sizeof(int));
  cudaMemset(d_in, 0, 32 * sizeof(int));
#ifndef FIXED
  cudaFree(d_in);
#endif
  twice<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
#ifdef FIXED
  cudaFree(d_in);
#endif
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
