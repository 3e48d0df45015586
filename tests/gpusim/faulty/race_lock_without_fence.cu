// expect-finding: race 15
// advice: put __threadfence() between reading the flag and this
// A lock: what the one before it wrote is sure to be seen only behind a fence.
#include <cuda_runtime.h>

__device__ int lock;

__global__ void add(int* data) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
#ifdef FIXED
  __threadfence();
#endif
  *data = *data + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  add<<<4, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
