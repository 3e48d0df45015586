// expect-finding: race 10 29
// expect-text: the fence at gpus_fence_of_the_device.cu:16, before setting the flag *flag, is one of its own GPU only: use __threadfence_system()
// environment: GPUSIM_DEVICES=2
// advice: use __threadfence_system()
// The writer's fence is of its own GPU: another GPU may see the flag before the data.
#include <cuda_runtime.h>

// GPU 0 stores, GPU 1 waits for the flag and reads.
__global__ void give(int* data, volatile int* flag) {
  data[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef FIXED
    __threadfence_system();
#else
    __threadfence();
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
