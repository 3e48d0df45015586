// expect-finding: barrier 14
// advice: every thread of the block must reach the same __syncthreads()
// The barrier stands inside a branch that half of the block takes: the other half waits at the next one.
#include <cuda_runtime.h>

__global__ void sum(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  if (t < 64) {
    tile[t] += tile[t + 64];
#ifndef FIXED
    __syncthreads();
#endif
  }
  __syncthreads();
  if (t == 0) {
    int total = 0;
    for (int k = 0; k < 64; ++k) total += tile[k];
    *out = total;
  }
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 128 * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0, 128 * sizeof(int));
  sum<<<1, 128>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
