// environment: GPUSIM_BUDGET=1000000
// expect-finding: stopped 9
// expect-text: does this loop end?
// The stride of a loop is rounded down to 0. (What it counts changes; if nothing did, one would know at once.)
#include <cuda_runtime.h>

__global__ void count_positive(const int* in, int n, int* count) {
#ifndef FIXED
  for (int k = threadIdx.x; k < n; k += blockDim.x / 64) atomicAdd(count, in[k] > 0);
#else
  for (int k = threadIdx.x; k < n; k += blockDim.x) atomicAdd(count, in[k] > 0);
#endif
}

int main() {
  int *d_in, *d_count;
  cudaMalloc(&d_in, 100 * sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemset(d_in, 1, 100 * sizeof(int));
  cudaMemset(d_count, 0, sizeof(int));
  count_positive<<<1, 32>>>(d_in, 100, d_count);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_count);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
