// expect-finding: race 10 27
// expect-text: the fence at gpus_no_writer_barrier.cu:15, before setting the flag *flag, does not wait for other threads' writes: put __syncthreads() before it
// environment: GPUSIM_DEVICES=2
// advice: put __syncthreads() before it
// Thread 0 says that all is done when it has done its own.
#include <cuda_runtime.h>

// GPU 0 stores, GPU 1 waits for the flag and reads.
__global__ void give(int* data, volatile int* flag) {
  data[threadIdx.x] = 7;
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    __threadfence_system();
    *flag = 1;
  }
}

__global__ void take(const int* data, volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence_system();
  }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

#include "gpus_message.cuh"
// SPDX-License-Identifier: MIT
