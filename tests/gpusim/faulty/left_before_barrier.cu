// expect-finding: barrier 16 warning
// expect-finding: barrier 13 warning
// advice: let every thread reach the barrier, and put only the work into the `if`
// Threads beyond the end of the input return, and the others wait for the block.
#include <cuda_runtime.h>

__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
#ifdef FIXED
  if (t < n) tile[t] = in[t];
#else
  if (t >= n) return;
  tile[t] = in[t];
#endif
  __syncthreads();
  if (t < n) out[t] = tile[n - 1 - t];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 60 * sizeof(int));
  cudaMalloc(&d_out, 60 * sizeof(int));
  cudaMemset(d_in, 0, 60 * sizeof(int));
  reverse<<<1, 64>>>(d_in, d_out, 60);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
