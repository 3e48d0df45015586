// expect-finding: out of bounds 10
// expect-text: , which is below n = 128
// advice: allocate that many elements
// advice: (ADVISED) pass 100
// The kernel is told of more elements than were allocated.
#include <cuda_runtime.h>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  int* out;
#ifdef FIXED
  cudaMalloc(&out, 128 * sizeof(int));
#else
  cudaMalloc(&out, 100 * sizeof(int));
#endif
#ifdef ADVISED
  fill<<<4, 32>>>(out, 100);
#else
  fill<<<4, 32>>>(out, 128);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
