// expect-finding: refused call 27
// expect-text: cudaEventElapsedTime is asked for an event that the program has not waited for (cudaEventSynchronize): device not ready
// advice: (ADVISED) check what the call returns, and clear the error with cudaGetLastError()
// The time between two events is known when the second one has come, for which nothing waits.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 1; }

int main() {
  int* data;
  float ms = 0;
  cudaEvent_t begin, end;
  cudaMalloc(&data, 32 * sizeof *data);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  fill<<<1, 32>>>(data);
  cudaEventRecord(end);
#ifdef FIXED
  cudaEventSynchronize(end);
#endif

#ifdef ADVISED
  while (cudaEventElapsedTime(&ms, begin, end) != cudaSuccess)
    cudaDeviceSynchronize(), cudaGetLastError();
#else
  cudaEventElapsedTime(&ms, begin, end);
#endif
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
