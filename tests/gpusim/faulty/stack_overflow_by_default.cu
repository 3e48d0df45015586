// expect-finding: stack overflow 11
// expect-text: this recursion keeps at least 1080 bytes on a thread's stack, which has 1024: does it end?
// advice: call cudaDeviceSetLimit(cudaLimitStackSize, BYTES) before the launch
// A recursion that is a few levels deep and keeps a small array in each call. The stack that a thread has by default is smaller. (An
// H100 says cudaErrorIllegalAddress.)
#include <cuda_runtime.h>

__device__ __noinline__ int descend(int depth, volatile int* above) {
  volatile int own[32];
  for (int k = 0; k < 32; k += 8) own[k] = depth;
  own[depth] = depth > 0 ? descend(depth - 1, own) + above[0] : 1;
  return own[depth];
}

__global__ void start(int depth, int* out) {
  volatile int none[8] = {};
  out[threadIdx.x] = descend(depth, none);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
#ifdef FIXED
  cudaDeviceSetLimit(cudaLimitStackSize, 4096);
#endif
  start<<<1, 32>>>(20, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
