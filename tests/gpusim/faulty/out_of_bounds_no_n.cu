// expect-finding: out of bounds 13
// expect-text: : let only threads below 100
// advice: let only threads below 100 access the array
// advice: (ADVISED) allocate an element for each
// The grid has more threads than the array has elements, and the kernel is not told how many there are.
#include <cuda_runtime.h>

__global__ void fill(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i >= 100) return;
#endif
  out[i] = i;
}

int main() {
  int* out;
#ifdef ADVISED
  cudaMalloc(&out, 128 * sizeof(int));
#else
  cudaMalloc(&out, 100 * sizeof(int));
#endif
  fill<<<4, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
