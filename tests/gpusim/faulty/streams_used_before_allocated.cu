// expect-finding: race 7
// expect-text: while cudaMallocAsync allocates it; nothing orders them
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// A kernel in one stream uses what another stream allocates, and does not wait for that.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }

int main() {
  int* data;
  cudaStream_t one, other;
  cudaEvent_t allocated;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaEventCreate(&allocated);
  cudaMallocAsync(&data, 64 * sizeof *data, one);
  cudaEventRecord(allocated, one);
#ifdef FIXED
  cudaStreamWaitEvent(other, allocated, 0);
#endif
  fill<<<1, 64, 0, other>>>(data);
  cudaStreamSynchronize(other);
  cudaFreeAsync(data, one);
  cudaDeviceSynchronize();
  cudaEventDestroy(allocated);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
}
// SPDX-License-Identifier: MIT
