// expect-finding: race 30
// advice: (ADVISED) use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then __threadfence(), then this)
// The flag may overtake the value that it announces.
#include <cuda_runtime.h>

__device__ volatile int ready;

__global__ void pass_on(int* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
#if defined FIXED || defined ADVISED
    __threadfence();
#endif
#ifdef ADVISED
    atomicExch(const_cast<int*>(&ready), 1);
#else
    ready = 1;
#endif
    return;
  }
#ifdef ADVISED
  while (atomicAdd(const_cast<int*>(&ready), 0) == 0) {
  }
#else
  while (ready == 0) {
  }
#endif
  __threadfence();
  data[1] = data[0];
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  pass_on<<<2, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
