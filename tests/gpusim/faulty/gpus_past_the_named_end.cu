// expect-finding: out of bounds 7
// expect-text: reads in[64], beyond the 64 ints of in
// environment: GPUSIM_DEVICES=2
// GPU 1 reads an array of GPU 0, which it may, and goes one element too far.
#include <cuda_runtime.h>

__global__ void last(const int* in, int at, int* out) { *out = in[at]; }

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof *in);
  cudaMemset(in, 0, 64 * sizeof *in);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMalloc(&out, sizeof *out);
#ifdef FIXED
  last<<<1, 1>>>(in, 63, out);
#else
  last<<<1, 1>>>(in, 64, out);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
