// expect-finding: race 10 27
// expect-text: the flag *flag was set at gpus_no_writer_fence.cu:16 without a fence after that write: put __threadfence_system() between the write and the flag
// environment: GPUSIM_DEVICES=2
// advice: put __threadfence_system() between
// No fence between data and flag.
#include <cuda_runtime.h>

// GPU 0 stores, GPU 1 waits for the flag and reads.
__global__ void give(int* data, volatile int* flag) {
  data[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef FIXED
    __threadfence_system();
#endif
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
