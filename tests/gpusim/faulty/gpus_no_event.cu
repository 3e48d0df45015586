// expect-finding: race 9
// expect-text: of GPU 0 while GPU 0, block 0, thread
// expect-text: nothing orders the GPUs: use cudaStreamWaitEvent, or a flag with __threadfence_system() on both sides
// environment: GPUSIM_DEVICES=2
// GPU 1 reads what GPU 0 writes, and nobody has told it to wait.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }
__global__ void read(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }

int main() {
  int *data, *out;
  cudaEvent_t filled;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaEventCreate(&filled);
  fill<<<1, 64>>>(data);
  cudaEventRecord(filled);
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaMalloc(&out, 64 * sizeof *out);
#ifdef FIXED
  cudaStreamWaitEvent(nullptr, filled, 0);
#endif
  read<<<1, 64>>>(data, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
