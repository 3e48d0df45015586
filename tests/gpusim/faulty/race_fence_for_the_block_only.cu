// expect-finding: race 23
// advice: use __threadfence()
// __threadfence_block() is a fence for the threads of the block, and blocks are two.
#include <cuda_runtime.h>

__device__ int ready;

__global__ void pass_on(int* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
    __threadfence();
    atomicExch(&ready, 1);
    return;
  }
  while (atomicAdd(&ready, 0) == 0) {
  }
#ifdef FIXED
  __threadfence();
#else
  __threadfence_block();
#endif
  data[1] = data[0];
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
