// expect-finding: race 10 27
// expect-text: the flag *flag, read at gpus_no_reader_fence.cu:20, orders nothing yet: put __threadfence_system() after reading it
// environment: GPUSIM_DEVICES=2
// advice: put __threadfence_system() after reading it
// No fence between flag and data.
#include <cuda_runtime.h>

// GPU 0 stores, GPU 1 waits for the flag and reads.
__global__ void give(int* data, volatile int* flag) {
  data[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    *flag = 1;
  }
}

__global__ void take(const int* data, volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
#ifdef FIXED
    __threadfence_system();
#endif
  }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

#include "gpus_message.cuh"
// SPDX-License-Identifier: MIT
