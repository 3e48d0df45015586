// expect-finding: out of bounds 17
// expect-text: , beyond the 4 elements of bins: this is all[
// An index that outgrows one array of the block meets the next one, which is memory of the block as well.
#include <cuda_runtime.h>

__global__ void count(const int* in, int* out) {
  __shared__ int bins[4];
  __shared__ int all[8];
  const int t = threadIdx.x;
  if (t < 4) bins[t] = 0;
  if (t < 8) all[t] = 0;
  __syncthreads();
  const int value = in[t];
#ifdef FIXED
  atomicAdd(&bins[value % 4], 1);
#else
  atomicAdd(&bins[value % 8], 1);
#endif
  atomicAdd(&all[value % 8], 1);
  __syncthreads();
  if (t < 4) out[t] = bins[t];
  if (t < 8) out[4 + t] = all[t];
}

int main() {
  int *d_in, *d_out, in[64];
  for (int i = 0; i < 64; ++i) in[i] = i;
  cudaMalloc(&d_in, sizeof(in));
  cudaMalloc(&d_out, 12 * sizeof(int));
  cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
  count<<<1, 64>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
