// expect-finding: race 11
// expect-text: called at
// expect-text:   add(total, threadIdx.x);
// A helper adds to shared memory without an atomic: the finding names the line that called it.
#include <cuda_runtime.h>

__device__ void add(int* total, int x) {
#ifdef FIXED
  atomicAdd(total, x);
#else
  *total += x;
#endif
}

__global__ void sum_of_threads(int* out) {
  __shared__ int total[1];
  if (threadIdx.x == 0) *total = 0;
  __syncthreads();
  add(total, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *out = *total;
}

int main() {
  int* d_out;
  cudaMalloc(&d_out, sizeof(int));
  sum_of_threads<<<1, 64>>>(d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
