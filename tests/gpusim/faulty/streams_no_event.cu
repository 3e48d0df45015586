// expect-finding: race 8
// expect-text: while fill in another stream writes it; nothing orders them: put both into one stream
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// A kernel reads what one of another stream writes, and its stream does not wait for that one.
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
  fill<<<1, 64, 0, one>>>(data);
  cudaEventRecord(filled, one);
#ifdef FIXED
  cudaStreamWaitEvent(other, filled, 0);
#endif
  twice<<<1, 64, 0, other>>>(data, out);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  cudaFree(out);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
