// expect-finding: race 9 15
// environment: GPUSIM_DEVICES=2
// advice: make the other access atomic too
// advice: (ADVISED) let the GPUs wait for each other
// GPU 0 counts by atomics of the whole system, and GPU 1 reads the count as if nothing could change it.
#include <cuda_runtime.h>

__global__ void count(int* sum) {
  atomicAdd_system(sum, 1);
}
__global__ void read(int* sum, int* out) {
#ifdef FIXED
  *out = atomicAdd_system(sum, 0);
#else
  *out = *sum;
#endif
}

int main() {
  int *sum, *out;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  cudaDeviceSynchronize();
  count<<<1, 64>>>(sum);
#ifdef ADVISED
  cudaDeviceSynchronize();
#endif
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMalloc(&out, sizeof *out);
  read<<<1, 1>>>(sum, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(sum);
}
// SPDX-License-Identifier: MIT
