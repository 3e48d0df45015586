// expect-finding: race 10 17 24 30
// environment: GPUSIM_DEVICES=2
// advice: atomicExch_system
// advice: use one with _system
// The fence is of the whole system, and the flag is set by an atomic of the writer's own GPU.
#include <cuda_runtime.h>

// GPU 0 stores, GPU 1 waits for the flag and reads.
__global__ void give(int* data, int* flag) {
  data[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
#ifdef FIXED
    atomicExch_system(flag, 1);
#else
    atomicExch(flag, 1);
#endif
  }
}

__global__ void take(const int* data, int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd_system(flag, 0) == 0) {
    }
    __threadfence_system();
  }
  __syncthreads();

  out[threadIdx.x] = data[threadIdx.x];
}

#include "gpus_message.cuh"
// SPDX-License-Identifier: MIT
