// expect-finding: no peer access 8
// expect-text: which is memory of GPU 0, and GPU 1 has no access to it
// environment: GPUSIM_DEVICES=2
// advice: call cudaDeviceEnablePeerAccess(0, 0) after cudaSetDevice(1)
// GPU 1 reads memory of GPU 0, which nobody has given it access to.
#include <cuda_runtime.h>

__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof *in);
  cudaMemset(in, 0, 64 * sizeof *in);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
#ifdef FIXED
  cudaDeviceEnablePeerAccess(0, 0);
#endif
  cudaMalloc(&out, 64 * sizeof *out);
  copy<<<1, 64>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
