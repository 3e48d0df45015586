// expect-finding: race 8
// expect-text: a copy from the host to the GPU writes 256 bytes that add in another stream reads
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// Pieces are copied in one stream and added up in another, through one buffer: the next piece must not come before the last
// one has been read.
#include <cuda_runtime.h>

__global__ void add(const int* piece, int* sums) { sums[threadIdx.x] += piece[threadIdx.x]; }

int main() {
  int *pieces, *buffer, *sums;
  cudaStream_t copies, kernels;
  cudaEvent_t copied, added;
  cudaMallocHost(&pieces, 4 * 64 * sizeof(int));
  cudaMalloc(&buffer, 64 * sizeof(int));
  cudaMalloc(&sums, 64 * sizeof(int));
  for (int i = 0; i < 4 * 64; ++i) pieces[i] = i;
  cudaMemset(sums, 0, 64 * sizeof(int));
  cudaDeviceSynchronize();
  cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
  cudaEventCreate(&copied);
  cudaEventCreate(&added);
  for (int k = 0; k < 4; ++k) {
#ifdef FIXED
    cudaStreamWaitEvent(copies, added, 0);
#endif
    cudaMemcpyAsync(buffer, pieces + 64 * k, 64 * sizeof(int), cudaMemcpyHostToDevice, copies);
    cudaEventRecord(copied, copies);
    cudaStreamWaitEvent(kernels, copied, 0);
    add<<<1, 64, 0, kernels>>>(buffer, sums);
    cudaEventRecord(added, kernels);
  }
  cudaDeviceSynchronize();
  cudaFree(sums);
  cudaFree(buffer);
  cudaFreeHost(pieces);
}
// SPDX-License-Identifier: MIT
