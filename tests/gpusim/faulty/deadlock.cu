// expect-finding: deadlock 12
// Half of the warp waits for a shuffle with the other half, which waits at the block's barrier.
#include <cuda_runtime.h>

__global__ void add_halves(const int* in, int* out) {
  const int t = threadIdx.x;
  int v = in[t];
#ifdef FIXED
  const int other = __shfl_xor_sync(0xffffffffu, v, 16);
  if (t < 16) v += other;
#else
  if (t < 16) v += __shfl_xor_sync(0xffffffffu, v, 16);
#endif
  __syncthreads();
  out[t] = v;
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, 32 * sizeof(int));
  cudaMemset(d_in, 0, 32 * sizeof(int));
  add_halves<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
