// expect-finding: race
// expect-text: a copy from GPU 1 to GPU 2 reads 256 bytes of GPU 1 that a copy from GPU 0 to GPU 1 writes; nothing orders them
// environment: GPUSIM_DEVICES=3
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// From GPU 0 by way of GPU 1 to GPU 2, in streams of their own.
#include <cuda_runtime.h>

int main() {
  int* part[3];
  cudaStream_t stream[3];
  cudaEvent_t arrived;
  for (int gpu = 0; gpu < 3; ++gpu) {
    cudaSetDevice(gpu);
    cudaMalloc(&part[gpu], 64 * sizeof(int));
    cudaMemset(part[gpu], gpu, 64 * sizeof(int));
    cudaStreamCreate(&stream[gpu]);
  }
  for (int gpu = 0; gpu < 3; ++gpu) {
    cudaSetDevice(gpu);
    cudaDeviceSynchronize();
  }
  cudaSetDevice(0);
  cudaEventCreate(&arrived);
  cudaMemcpyPeerAsync(part[1], 1, part[0], 0, 64 * sizeof(int), stream[0]);
  cudaEventRecord(arrived, stream[0]);
  cudaSetDevice(1);
#ifdef FIXED
  cudaStreamWaitEvent(stream[1], arrived, 0);
#endif
  cudaMemcpyPeerAsync(part[2], 2, part[1], 1, 64 * sizeof(int), stream[1]);
  for (int gpu = 0; gpu < 3; ++gpu) {
    cudaSetDevice(gpu);
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream[gpu]);
    cudaFree(part[gpu]);
  }
  cudaEventDestroy(arrived);
}
// SPDX-License-Identifier: MIT
