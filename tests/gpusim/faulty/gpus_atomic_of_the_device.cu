// expect-finding: race 12
// expect-text: an atomic without _system (.gpu) is atomic only for threads of its own GPU
// environment: GPUSIM_DEVICES=2
// advice: use atomicAdd_system
// Two GPUs count in one word, each atomically for itself.
#include <cuda_runtime.h>

__global__ void count(int* sum) {
#ifdef FIXED
  atomicAdd_system(sum, 1);
#else
  atomicAdd(sum, 1);
#endif
}

int main() {
  int* sum;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  cudaDeviceSynchronize();
  count<<<1, 64>>>(sum);
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  count<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
// SPDX-License-Identifier: MIT
