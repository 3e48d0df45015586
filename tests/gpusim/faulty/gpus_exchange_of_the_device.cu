// expect-finding: race 15
// expect-text: an atomic without _system (.gpu) is atomic only for threads of its own GPU
// environment: GPUSIM_DEVICES=2
// advice: atomicExch_system
// advice: (ADVISED) a volatile access
// Two GPUs leave their mark in one word, each atomically for itself.
#include <cuda_runtime.h>

__global__ void leave_mark(int* last, int mark) {
#ifdef FIXED
  atomicExch_system(last, mark);
#elif defined ADVISED
  *static_cast<volatile int*>(last) = mark;
#else
  atomicExch(last, mark);
#endif
}

int main() {
  int* last;
  cudaMalloc(&last, sizeof *last);
  cudaMemset(last, 0, sizeof *last);
  cudaDeviceSynchronize();
  leave_mark<<<1, 1>>>(last, 1);
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  leave_mark<<<1, 1>>>(last, 2);
  cudaDeviceSynchronize();
  cudaFree(last);
}
// SPDX-License-Identifier: MIT
