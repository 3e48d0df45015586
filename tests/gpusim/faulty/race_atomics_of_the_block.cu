// expect-finding: race 10
// advice: use device scope
// An atomic of the block's scope is one towards its own block only.
#include <cuda_runtime.h>

__global__ void count(int* data) {
#ifdef FIXED
  atomicAdd(data, 1);
#else
  atomicAdd_block(data, 1);
#endif
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  count<<<2, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
