// expect-finding: out of bounds 8
// expect-text: ], and out is a null pointer
// expect-text: a null pointer
// The output was never allocated.
#include <cuda_runtime.h>

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int* d_out = nullptr;
#ifdef FIXED
  cudaMalloc(&d_out, 32 * sizeof(int));
#endif
  fill<<<1, 32>>>(d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
