// expect-finding: race 13
// advice: use an atomic
// advice: (ADVISED) give each lane its own element
// The lanes of a warp store different values into one element.
#include <cuda_runtime.h>

__global__ void last_of_warp(int* out) {
#ifdef FIXED
  atomicMax(out, threadIdx.x);
#elif defined ADVISED
  out[threadIdx.x] = threadIdx.x;
#else
  *out = threadIdx.x;
#endif
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof *out);
  cudaMemset(out, 0, 32 * sizeof *out);
  last_of_warp<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
