// expect-finding: race 8
// expect-text: the stream's wait at streams_event_not_recorded.cu:26 is for an event that was not recorded before: it waits for nothing
// advice: let one wait for the other by an event (cudaStreamWaitEvent)
// A stream waits for an event before that is recorded, so it waits for nothing.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }
__global__ void twice(const int* data, int* out) { out[threadIdx.x] = 2 * data[threadIdx.x]; }

int main() {
  int *data, *out;
  cudaStream_t one, other;
  cudaEvent_t filled;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMalloc(&out, 64 * sizeof *out);
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaEventCreate(&filled);
#ifdef FIXED
  fill<<<1, 64, 0, one>>>(data);
  cudaEventRecord(filled, one);
  cudaStreamWaitEvent(other, filled, 0);
#else


  cudaStreamWaitEvent(other, filled, 0);
  fill<<<1, 64, 0, one>>>(data);
  cudaEventRecord(filled, one);
#endif
  twice<<<1, 64, 0, other>>>(data, out);
  cudaDeviceSynchronize();
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  cudaEventDestroy(filled);
  cudaFree(out);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
