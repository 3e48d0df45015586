// expect-finding: race 13
// expect-text: called at
// expect-text:   add(total, threadIdx.x);
// advice: make the update atomic (atomicAdd)
// advice: (ADVISED) let only one thread update this element
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
#ifdef ADVISED
  if (threadIdx.x == 0)
    for (int x = 0; x < 64; ++x) add(total, x);
#else
  add(total, threadIdx.x);
#endif
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
