// expect-finding: race 9
// expect-text: while a copy from GPU 0 to GPU 1 reads it
// expect-text: let one wait for an event of the other (cudaStreamWaitEvent)
// environment: GPUSIM_DEVICES=2
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// A stream of GPU 1 copies what GPU 0 writes, and nobody has told it to wait.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }

int main() {
  int *data, *received;
  cudaStream_t filling, copying;
  cudaEvent_t filled;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaStreamCreateWithFlags(&filling, cudaStreamNonBlocking);
  cudaEventCreate(&filled);
  fill<<<1, 64, 0, filling>>>(data);
  cudaEventRecord(filled, filling);
  cudaSetDevice(1);
  cudaMalloc(&received, 64 * sizeof *received);
  cudaStreamCreateWithFlags(&copying, cudaStreamNonBlocking);
#ifdef FIXED
  cudaStreamWaitEvent(copying, filled, 0);
#endif
  cudaMemcpyPeerAsync(received, 1, data, 0, 64 * sizeof *data, copying);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  cudaStreamDestroy(filling);
  cudaStreamDestroy(copying);
  cudaEventDestroy(filled);
  cudaFree(received);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
