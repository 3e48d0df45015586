// expect-finding: stack overflow 9
// expect-text: a thread would need
// expect-text: of local memory, and has 524288: does this recursion end?
// A recursion that keeps a large array in each call, one level too often for the local memory of a GPU's thread.
#include <cuda_runtime.h>

__device__ __noinline__ int descend(int depth, volatile int* touched) {
  volatile int large[1024];
  large[depth % 1024] = depth > 0 ? descend(depth - 1, large) + touched[depth % 7] : 1;
  return large[depth % 1024];
}

__global__ void start(int depth, int* out) {
  volatile int none[7] = {};
  out[threadIdx.x] = descend(depth, none);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
#ifdef FIXED
  cudaDeviceSetLimit(cudaLimitStackSize, 32 * 1024);
  start<<<1, 32>>>(6, out);
#else
  cudaDeviceSetLimit(cudaLimitStackSize, 512 * 1024);
  start<<<1, 32>>>(200, out);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
