// expect-finding: out of bounds 14
// expect-text: reads 4 bytes of shared memory at 0x80; the block has 128 bytes, and tile[32] is beyond them
// A neighbour that the last thread does not have.
#include <cuda_runtime.h>

__global__ void differences(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
#ifdef FIXED
  out[t] = t + 1 < 32 ? tile[t + 1] - tile[t] : 0;
#else
  out[t] = tile[t + 1] - tile[t];
#endif
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, 32 * sizeof(int));
  cudaMemset(d_in, 0, 32 * sizeof(int));
  differences<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
