// expect-finding: race 13 14
// expect-text: each reads it, changes it and writes it back
// advice: make the update atomic
// Threads of several blocks count into one element, in two statements and in a loop.
#include <cuda_runtime.h>

__global__ void count(const int* in, int n, int* counts) {
#ifdef FIXED
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[in[i] & 3], 1);
#else
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = in[i] & 3, old = counts[bin];
    counts[bin] = old + 1;
  }
#endif
}

int main() {
  constexpr int n = 256;
  int *d_in, *d_counts;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_counts, 4 * sizeof(int));
  cudaMemset(d_in, 0, n * sizeof(int));
  cudaMemset(d_counts, 0, 4 * sizeof(int));
  count<<<4, 1>>>(d_in, n, d_counts);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_counts);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
