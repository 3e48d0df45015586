// expect-finding: wrong call 8
// expect-text: calls a null pointer
// A pointer to a function that nobody has set.
#include <cuda_runtime.h>

using Function = int (*)(int);
__device__ Function chosen;
__global__ void apply(int* out) { out[threadIdx.x] = chosen(int(threadIdx.x)); }

__device__ int twice(int x) { return 2 * x; }
__global__ void choose() { chosen = twice; }

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
#ifdef FIXED
  choose<<<1, 1>>>();
#endif
  apply<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
