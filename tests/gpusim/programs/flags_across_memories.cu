// expect: 7 7 7 7
// expect: 42 42
//
// A flag in one memory publishes data in another one, between threads of one block: right programs, of which no check says anything.
#include <cstdio>

__device__ int flag;

__global__ void shared_flag(int* out, int* data) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data[0] = 7;
    __threadfence_block();
    atomicExch(&ready, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(&ready, 0) == 0) {}
    __threadfence_block();
    out[0] = data[0];
  }
}

__global__ void global_flag(int* out) {
  __shared__ int data;
  if (threadIdx.x == 0) {
    data = 7;
    __threadfence();
    atomicExch(&flag, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(&flag, 0) == 0) {}
    __threadfence();
    out[1] = data;
  }
}

__global__ void flag_of_the_block(int* out) {
  __shared__ int ready, data;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 7;
    __threadfence_block();
    atomicExch_block(&ready, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd_block(&ready, 0) == 0) {}
    __threadfence_block();
    out[2] = data;
  }
}

__global__ void volatile_flag(int* out, int* data) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data[1] = 7;
    __threadfence_block();
    ready = 1;
  }
  if (threadIdx.x == 32) {
    while (ready == 0) {}
    __threadfence_block();
    out[3] = data[1];
  }
}

// A lock in shared memory guards an element of global memory, and each block has its own.
__global__ void shared_lock(int* sums) {
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    for (bool done = false; !done;) {
      if (atomicCAS(&lock, 0, 1) != 0) continue;
      __threadfence_block();
      sums[blockIdx.x] += threadIdx.x / 32 * 7 + 7;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}

int main() {
  int *out, *data, host[6];
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&data, 2 * sizeof(int));
  cudaMemset(out, 0, sizeof host);
  shared_flag<<<1, 64>>>(out, data);
  global_flag<<<1, 64>>>(out);
  flag_of_the_block<<<1, 64>>>(out);
  volatile_flag<<<1, 64>>>(out, data);
  shared_lock<<<2, 96>>>(out + 4);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n%d %d\n", host[0], host[1], host[2], host[3], host[4], host[5]);
  cudaFree(out);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
