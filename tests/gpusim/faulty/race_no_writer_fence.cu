// expect-finding: race 20
// The flag may overtake the value that it announces.
#include <cuda_runtime.h>

__device__ volatile int ready;

__global__ void pass_on(int* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
#ifdef FIXED
    __threadfence();
#endif
    ready = 1;
    return;
  }
  while (ready == 0) {
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
