// expect-finding: race 27
// expect-text: of GPU 0 while GPU 0, block 0, thread
// expect-text: nothing orders the GPUs: use cudaStreamWaitEvent, or a flag with __threadfence_system() on both sides
// environment: GPUSIM_DEVICES=2
// advice: use cudaStreamWaitEvent
// advice: (ADVISED) a flag with __threadfence_system() on both sides
// GPU 1 reads what GPU 0 writes, and nobody has told it to wait.
#include <cuda_runtime.h>

#ifdef ADVISED
__global__ void fill(int* data) {
  volatile int* const flag = data + 64;
  data[threadIdx.x] = 7;
  __syncthreads();
  __threadfence_system();
  if (threadIdx.x == 0) *flag = 1;
}
__global__ void read(const int* data, int* out) {
  const volatile int* const flag = data + 64;
  while (*flag == 0) {
  }
  __threadfence_system();
  out[threadIdx.x] = data[threadIdx.x];
}
#else
__global__ void fill(int* data) { data[threadIdx.x] = 7; }
__global__ void read(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }
#endif

int main() {
  int *data, *out;
  cudaEvent_t filled;
  cudaMalloc(&data, 65 * sizeof *data);
  cudaMemset(data, 0, 65 * sizeof *data);
  cudaDeviceSynchronize();
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
