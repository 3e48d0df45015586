// expect-finding: race 24
// advice: put __threadfence() between reading the flag and this
// The flag has come: without a fence behind it, what it announces may be an old value still.
#include <cuda_runtime.h>

__device__ volatile int ready;

__global__ void pass_on(int* data) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 7;
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0) ready = 1;
    return;
  }
  if (threadIdx.x == 0) {
    while (ready == 0) {
    }
#ifdef FIXED
    __threadfence();
#endif
  }
  __syncthreads();
  data[32 + threadIdx.x] = data[31 - threadIdx.x];
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  pass_on<<<2, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
