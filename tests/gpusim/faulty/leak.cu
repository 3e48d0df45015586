// expect-finding: leak warning
// advice: call cudaFree
// Memory that is never freed.
#include <cuda_runtime.h>

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int* d_out;
  cudaMalloc(&d_out, 32 * sizeof(int));
  fill<<<1, 32>>>(d_out);
  const cudaError_t error = cudaDeviceSynchronize();
#ifdef FIXED
  cudaFree(d_out);
#endif
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
