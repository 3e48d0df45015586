// expect-finding: race 14
// expect-text: each reads it, changes it and writes it back
// environment: GPUSIM_CHECK=race
// advice: make the update atomic (atomicAdd)
// Two warps count into one element: a barrier before or behind that keeps neither from losing what the other has added.
#include <cuda_runtime.h>

__global__ void count(const int* bins, int* out) {
  __shared__ int counts[4];
  const int t = threadIdx.x;
  if (t < 4) counts[t] = 0;
  __syncthreads();
#ifndef FIXED
  if (t % 32 == 0) counts[bins[t]] += 1;
#else
  if (t % 32 == 0) atomicAdd(&counts[bins[t]], 1);
#endif
  __syncthreads();
  if (t < 4) out[t] = counts[t];
}

int main() {
  int *d_bins, *d_out;
  cudaMalloc(&d_bins, 64 * sizeof(int));
  cudaMalloc(&d_out, 4 * sizeof(int));
  cudaMemset(d_bins, 0, 64 * sizeof(int));
  count<<<1, 64>>>(d_bins, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_bins);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
