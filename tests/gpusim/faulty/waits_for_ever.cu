// expect-finding: never ends 8
// expect-text: Does this loop wait for something that never happens, or is its condition always true? (wait_for_flag, block 0, thread 0)
// A flag that nobody sets. That the kernel never ends is known as soon as nothing changes any more.
#include <cuda_runtime.h>

__global__ void wait_for_flag(volatile int* flag, int* out) {
  if (threadIdx.x == 0)
    while (*flag == 0) __nanosleep(100);
  __syncthreads();
  out[threadIdx.x] = blockIdx.x;
}

int main() {
  int *flag, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
#ifdef FIXED
  cudaMemset(flag, 1, sizeof(int));
#else
  cudaMemset(flag, 0, sizeof(int));
#endif
  wait_for_flag<<<1, 64>>>(flag, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(flag);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
