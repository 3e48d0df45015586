// expect-finding: out of bounds 12
// expect-text: ; called at
// expect-text: called_helper.cu:16:10, 
// expect-text: called_helper.cu:20:7)
// expect-text:   if (is_positive(in, first + threadIdx.x)) atomicAdd(count, 1);
// A helper reads where its caller's caller says: one call is inlined, the other is not.
#include <cuda_runtime.h>

__device__ bool is_positive(const int* in, int i);

__device__ inline int element(const int* in, int i) {
  return in[i];
}

__device__ __noinline__ bool is_positive(const int* in, int i) {
  return element(in, i) > 0;
}

__global__ void count_positive(const int* in, int first, int* count) {
  if (is_positive(in, first + threadIdx.x)) atomicAdd(count, 1);
}

int main() {
  int *d_in, *d_count;
  cudaMalloc(&d_in, 100 * sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemset(d_in, 0, 100 * sizeof(int));
  cudaMemset(d_count, 0, sizeof(int));
#ifdef FIXED
  count_positive<<<1, 32>>>(d_in, 68, d_count);
#else
  count_positive<<<1, 32>>>(d_in, 96, d_count);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_count);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
