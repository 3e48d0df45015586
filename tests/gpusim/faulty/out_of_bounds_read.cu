// expect-finding: out of bounds 13
// expect-text: , beyond the 100 ints of in; the launch has 128 threads, and thread 1
// expect-text: : let only threads below n = 100 access the array (if (i < n)) (count_positive, block 3, thread
// advice: let only threads below n = 100 access the array (if (i < n))
// The grid has more threads than the input has elements, and nothing guards the rest.
#include <cuda_runtime.h>

__global__ void count_positive(const int* in, int n, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i >= n) return;
#endif
  if (in[i] > 0) atomicAdd(count, 1);
}

int main() {
  int *d_in, *d_count;
  cudaMalloc(&d_in, 100 * sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemset(d_in, 0, 100 * sizeof(int));
  cudaMemset(d_count, 0, sizeof(int));
  count_positive<<<4, 32>>>(d_in, 100, d_count);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_count);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
