// expect-finding: race 21
// advice: put __threadfence() after taking it and before releasing it
// A lock whose owner changes a struct. Atomics alone do not order the struct's members with the lock.
#include <cuda_runtime.h>

struct Statistics {
  int count;
  float largest;
};

__device__ int lock;

__global__ void collect(const float* values, Statistics* all) {
  if (threadIdx.x != 0) return;
  const float value = values[blockIdx.x];
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
#ifdef FIXED
  __threadfence();
#endif
  ++all->count;
  if (value > all->largest) all->largest = value;
#ifdef FIXED
  __threadfence();
#endif
  atomicExch(&lock, 0);
}

int main() {
  float* values;
  Statistics* all;
  cudaMalloc(&values, 8 * sizeof *values);
  cudaMalloc(&all, sizeof *all);
  cudaMemset(values, 0, 8 * sizeof *values);
  cudaMemset(all, 0, sizeof *all);
  collect<<<8, 32>>>(values, all);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(all);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
