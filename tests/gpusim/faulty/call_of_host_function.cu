// expect-finding: wrong call 8
// expect-text: where no function begins: only addresses that a kernel, or a __device__ or __constant__ variable, took are those of a GPU
// The host takes the address of a function: that is the host's, though the function is for both.
#include <cuda_runtime.h>

using Function = int (*)(int);
__host__ __device__ int twice(int x) { return 2 * x; }
__global__ void apply(int* out, Function function) { out[threadIdx.x] = function(int(threadIdx.x)); }
__device__ Function of_gpu = twice;

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  Function function = twice;
#ifdef FIXED
  cudaMemcpyFromSymbol(&function, of_gpu, sizeof function);
#endif
  apply<<<1, 32>>>(out, function);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
