// expect-finding: race 16
// expect-finding: never written 16 maybe
// advice: put __syncthreads() between writing and reading
// advice: and one with work must store before it is read
// advice: store there first, with __syncthreads() between storing and reading
// A barrier is missing: a warp reads what another warp writes.
#include <cuda_runtime.h>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = tile[63 - t];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 64 * sizeof(int));
  cudaMalloc(&d_out, 64 * sizeof(int));
  cudaMemset(d_in, 0, 64 * sizeof(int));
  reverse<<<1, 64>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
