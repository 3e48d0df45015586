// expect-finding: race 25
// advice: put __threadfence() between reading the flag and this
// The first block to come makes the table. Who finds it made must still not read it without a fence.
#include <cuda_runtime.h>

__device__ int lock, made;

__global__ void use_table(int* data) {
  if (threadIdx.x != 0) return;
  if (*static_cast<volatile int*>(&made) == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    if (*static_cast<volatile int*>(&made) == 0) {
      data[0] = 7;
      __threadfence();
      *static_cast<volatile int*>(&made) = 1;
    }
    __threadfence();
    atomicExch(&lock, 0);
  }
#ifdef FIXED
  __threadfence();
#endif
  data[1 + blockIdx.x] = data[0];
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  use_table<<<4, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
