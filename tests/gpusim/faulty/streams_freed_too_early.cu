// expect-finding: race 8
// expect-text: cudaFreeAsync frees 256 bytes that twice in another stream reads; nothing orders them
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// A buffer of the pool goes back in one stream while a kernel in another one may still read it.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }
__global__ void twice(const int* data, int* out) { out[threadIdx.x] = 2 * data[threadIdx.x]; }

int main() {
  int *data, *out;
  cudaStream_t one, other;
  cudaEvent_t filled, done;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaEventCreate(&filled);
  cudaEventCreate(&done);
  cudaMalloc(&out, 64 * sizeof *out);
  cudaMallocAsync(&data, 64 * sizeof *data, one);
  fill<<<1, 64, 0, one>>>(data);
  cudaEventRecord(filled, one);
  cudaStreamWaitEvent(other, filled, 0);
  twice<<<1, 64, 0, other>>>(data, out);
  cudaEventRecord(done, other);
#ifdef FIXED
  cudaStreamWaitEvent(one, done, 0);
#endif
  cudaFreeAsync(data, one);
  cudaDeviceSynchronize();
  cudaEventDestroy(filled);
  cudaEventDestroy(done);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
