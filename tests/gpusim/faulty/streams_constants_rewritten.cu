// expect-finding: race 11
// expect-text: a copy from the host to the GPU writes 8 bytes that line in another stream reads
// advice: let one wait for an event of the other (cudaStreamWaitEvent)
// New coefficients are copied into a constant array while the kernel of another stream may still be reading the old ones.
#include <cstdio>

#include <cuda_runtime.h>

__constant__ int coefficient[2];

__global__ void line(int* out) { out[threadIdx.x] = coefficient[0] + coefficient[1] * int(threadIdx.x); }

int main() {
  int *first, *second, *values, got[64];
  cudaStream_t one, other;
  cudaEvent_t computed;
  cudaEventCreate(&computed);
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaMalloc(&first, sizeof got);
  cudaMalloc(&second, sizeof got);
  cudaMallocHost(&values, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) values[i] = i;
  cudaMemcpyToSymbol(coefficient, values, 2 * sizeof(int));
  cudaDeviceSynchronize();
  line<<<1, 64, 0, one>>>(first);
#ifdef FIXED
  cudaEventRecord(computed, one);
  cudaStreamWaitEvent(other, computed);
#endif
  cudaMemcpyToSymbolAsync(coefficient, values + 2, 2 * sizeof(int), 0, cudaMemcpyHostToDevice, other);
  line<<<1, 64, 0, other>>>(second);
  cudaStreamSynchronize(other);
  cudaStreamSynchronize(one);
  cudaMemcpy(got, second, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got[63]);
  cudaFreeHost(values);
  cudaFree(first);
  cudaFree(second);
  cudaEventDestroy(computed);
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
}
// SPDX-License-Identifier: MIT
