// expect-finding: out of bounds 8
// expect-text: just past the end of an allocation of 256 bytes of GPU 0
// environment: GPUSIM_DEVICES=2
// GPU 1 reads an array of GPU 0, which it may, and goes one element too far.
#include <cuda_runtime.h>

// A pointer that is loaded: no name tells which array is meant.
__global__ void last(const int* const* in, int at, int* out) { *out = (*in)[at]; }

int main() {
  int *in, *out, **table;
  cudaMalloc(&in, 64 * sizeof *in);
  cudaMemset(in, 0, 64 * sizeof *in);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMalloc(&out, sizeof *out);
  cudaMalloc(&table, sizeof *table);
  cudaMemcpy(table, &in, sizeof in, cudaMemcpyHostToDevice);
#ifdef FIXED
  last<<<1, 1>>>(table, 63, out);
#else
  last<<<1, 1>>>(table, 64, out);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(table);
  cudaFree(out);
  cudaFree(in);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
