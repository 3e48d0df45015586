// environment: GPUSIM_DEVICES=2
// expect-finding: refused call 23
// expect-text: fill is launched into a stream of GPU 1 while GPU 0 is current: call cudaSetDevice(1) first: invalid resource handle
// advice: (ADVISED_DEVICE) call cudaSetDevice(1) first
// advice: (ADVISED) call cudaGetLastError() after the launch
// A stream belongs to the GPU that was current when it was made.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 1; }

int main() {
  int* data;
  cudaStream_t stream;
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  cudaMalloc(&data, 32 * sizeof *data);
#ifndef FIXED
  cudaSetDevice(0);
#endif
#ifdef ADVISED_DEVICE
  cudaSetDevice(1);
#endif
  fill<<<1, 32, 0, stream>>>(data);
#ifdef ADVISED
  if (cudaGetLastError() != cudaSuccess) cudaSetDevice(1);
#endif
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaStreamDestroy(stream);
}
// SPDX-License-Identifier: MIT
