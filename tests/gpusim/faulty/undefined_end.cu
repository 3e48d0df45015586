// expect-finding: undefined behaviour 7
// expect-text: Does a function end without `return VALUE;`
// A function that should return something, and does not. The compiler then leaves out the rest of the kernel.
#include <cuda_runtime.h>

#ifndef FIXED
__device__ int squared(int value) { int square = value * value; }
#else
__device__ int squared(int value) { return value * value; }
#endif

__global__ void square(int* data) { data[threadIdx.x] = squared(data[threadIdx.x]); }

int main() {
  int* data;
  cudaMalloc(&data, 32 * sizeof *data);
  cudaMemset(data, 0, 32 * sizeof *data);
  square<<<1, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
