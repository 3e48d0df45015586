// expect-finding: race 19
// advice: use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then __threadfence(), then this)
// The last block to finish adds up what the others wrote; without fences it may not see it.
#include <cuda_runtime.h>

__device__ unsigned finished;

__global__ void sum(const int* in, int* partial, int* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = in[2 * blockIdx.x] + in[2 * blockIdx.x + 1];
#ifdef FIXED
  __threadfence();
#endif
  if (atomicAdd(&finished, 1) != gridDim.x - 1) return;
#ifdef FIXED
  __threadfence();
#endif
  int total = 0;
  for (int block = 0; block < gridDim.x; ++block) total += partial[block];
  *out = total;
}

int main() {
  int *d_in, *d_partial, *d_out;
  cudaMalloc(&d_in, 8 * sizeof(int));
  cudaMalloc(&d_partial, 4 * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0, 8 * sizeof(int));
  sum<<<4, 32>>>(d_in, d_partial, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_partial);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
