// expect-finding: refused call 40
// expect-text: is memory that a kernel has allocated (malloc, new), which calls of the host cannot reach: invalid argument
// advice: (ADVISED) check what the call returns, and clear the error with cudaGetLastError()
// The host copies from memory that a kernel has allocated with malloc().
#include <cuda_runtime.h>

#include <cstdio>

__device__ int* found;
__device__ int copied;

__global__ void make() {
  found = static_cast<int*>(malloc(sizeof(int)));
  *found = 7;
}
__global__ void give() { copied = *found; }

int by_a_kernel() {
  int result = 0;
  give<<<1, 1>>>();
  cudaMemcpyFromSymbol(&result, copied, sizeof result);
  return result;
}

int main() {
  int* pointer = nullptr;
  int result = 0;
  make<<<1, 1>>>();
#ifdef FIXED
  result = by_a_kernel();
#elif defined ADVISED
  cudaMemcpyFromSymbol(&pointer, found, sizeof pointer);
  if (cudaMemcpy(&result, pointer, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) {
    cudaGetLastError();
    result = by_a_kernel();
  }
  pointer = nullptr;
#else
  cudaMemcpyFromSymbol(&pointer, found, sizeof pointer);
  cudaMemcpy(&result, pointer, sizeof result, cudaMemcpyDeviceToHost);
#endif
  std::printf("%d\n", result);
  return pointer != nullptr && result == 7;
}
// SPDX-License-Identifier: MIT
