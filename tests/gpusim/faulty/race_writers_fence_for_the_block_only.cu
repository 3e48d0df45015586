// expect-finding: race 12 25
// expect-text: before setting the flag ready, orders memory for threads of its own block only: use __threadfence()
// advice: use __threadfence()
// The writer's fence is one for the threads of its block, and the reader is in another one.
#include <cuda_runtime.h>

__device__ int ready;

__global__ void pass_on(int* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    atomicExch(&ready, 1);
    return;
  }
  while (atomicAdd(&ready, 0) == 0) {
  }
  __threadfence();

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
