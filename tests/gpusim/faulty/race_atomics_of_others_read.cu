// expect-finding: race 7 12
// Every thread counts itself, and the last thread of the grid reads the count. Its own update is the latest; those of other threads are
// not ordered before its read.
#include <cuda_runtime.h>

__global__ void count(int* counter, int* out) {
  atomicAdd(counter, 1);
#ifdef FIXED
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1) out[0] = atomicAdd(counter, 0);
#else
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1)
    out[0] = *counter;
#endif
}

int main() {
  int *counter, *out;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<8, 32>>>(counter, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
