// expect-finding: race 8
// expect-text: the wait at streams_event_not_recorded.cu:26 waits for nothing, because the event had not been recorded yet
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
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
