// expect-finding: race 32
// advice: (ADVISED) use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then __threadfence(), then this)
// One thread waits for the flag, and fences; the others of its block do not wait for it.
#include <cuda_runtime.h>

__device__ volatile int ready;

__global__ void pass_on(int* data) {
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    data[0] = 7;
    __threadfence();
#ifdef ADVISED
    atomicExch(const_cast<int*>(&ready), 1);
#else
    ready = 1;
#endif
    return;
  }
  if (threadIdx.x == 0) {
    while (ready == 0) {
    }
    __threadfence();
  }
#ifdef FIXED
  __syncthreads();
#elif defined ADVISED
  while (atomicAdd(const_cast<int*>(&ready), 0) == 0) {
  }
  __threadfence();
#endif
  if (threadIdx.x >= 32) data[threadIdx.x] = data[0];
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  pass_on<<<2, 64>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
