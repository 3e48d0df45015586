// expect-finding: barrier 12
// advice: every thread of the block must reach the same __syncthreads()
// A barrier on each side of a branch: two barriers, of which each half of the warp reaches one.
#include <cuda_runtime.h>

__global__ void swap_halves(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  if (t < 16) {
    tile[t] = in[t + 16];
#ifndef FIXED
    __syncthreads();
#endif
  } else {
    tile[t] = -in[t - 16];
#ifndef FIXED
    __syncthreads();
#endif
  }
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = tile[31 - t];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, 32 * sizeof(int));
  cudaMemset(d_in, 0, 32 * sizeof(int));
  swap_halves<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
