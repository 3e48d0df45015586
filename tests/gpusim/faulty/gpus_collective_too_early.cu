// expect-finding: race 9
// expect-text: while ncclAllReduce of rank 1 reads it
// environment: GPUSIM_DEVICES=2
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// A kernel's stream and that of NCCL's call are two.
#include <cuda_runtime.h>
#include <nccl.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }

int main() {
  const int gpus[] = {0, 1};
  ncclComm_t comm[2];
  int* data[2];
  cudaStream_t filling[2], sharing[2];
  cudaEvent_t filled[2];
  ncclCommInitAll(comm, 2, gpus);
  for (int gpu : gpus) {
    cudaSetDevice(gpu);
    cudaMalloc(&data[gpu], 64 * sizeof(int));
    cudaStreamCreate(&filling[gpu]);
    cudaStreamCreate(&sharing[gpu]);
    cudaEventCreate(&filled[gpu]);
    fill<<<1, 64, 0, filling[gpu]>>>(data[gpu]);
    cudaEventRecord(filled[gpu], filling[gpu]);
  }
  ncclGroupStart();
  for (int gpu : gpus) {
    cudaSetDevice(gpu);
#ifndef FIXED
    if (gpu == 0)
#endif
      cudaStreamWaitEvent(sharing[gpu], filled[gpu], 0);
    ncclAllReduce(data[gpu], data[gpu], 64, ncclInt, ncclSum, comm[gpu], sharing[gpu]);
  }
  ncclGroupEnd();
  for (int gpu : gpus) {
    cudaSetDevice(gpu);
    cudaDeviceSynchronize();
    cudaStreamDestroy(filling[gpu]);
    cudaStreamDestroy(sharing[gpu]);
    cudaEventDestroy(filled[gpu]);
    cudaFree(data[gpu]);
    ncclCommDestroy(comm[gpu]);
  }
}
// SPDX-License-Identifier: MIT
