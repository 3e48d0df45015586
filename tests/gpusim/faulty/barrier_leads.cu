// expect-finding: barrier 23
// expect-finding: race 30 maybe
// expect-first: barrier
// advice: (ADVISED) every thread of the block must reach the same __syncthreads()
// advice: (ADVISED) put __syncthreads() between writing and reading
// Threads that meet at two barriers as if they were one race behind them. What is wrong comes first, what follows after.
#include <cuda_runtime.h>

__global__ void rotate(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
#ifdef FIXED
  __syncthreads();
#elif defined ADVISED
  if (t < 32) tile[t] += 1;
  __syncthreads();
  if (t < 32) tile[t] += 1;
  __syncthreads();
#else
  if (t < 32) {
    tile[t] += 1;
    __syncthreads();
    tile[t] += 1;
    __syncthreads();
  } else {
    __syncthreads();
  }
#endif
  out[t] = tile[(t + 40) % 64];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 64 * sizeof(int));
  cudaMalloc(&d_out, 64 * sizeof(int));
  cudaMemset(d_in, 0, 64 * sizeof(int));
  rotate<<<1, 64>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
