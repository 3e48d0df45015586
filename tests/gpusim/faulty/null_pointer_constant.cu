// expect-finding: out of bounds 9
// expect-text: a null pointer
// The compiler can see that the pointer is null. nvcc compiles the store to a trap; clang would leave an empty kernel.
#include <cuda_runtime.h>

__global__ void store_through_null(int* data) {
#ifndef FIXED
  int* nowhere = nullptr;
  nowhere[0] = data[0];
#endif
  data[1] = 7;
}

int main() {
  int* data;
  cudaMalloc(&data, 2 * sizeof(int));
  cudaMemset(data, 0, 2 * sizeof(int));
  store_through_null<<<1, 1>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
