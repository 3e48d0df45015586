// expect-finding: race 17
// advice: put __threadfence() between reading the flag and this
// Each block waits for the one before it: value and state in two words need a fence on both sides.
#include <cuda_runtime.h>

__device__ volatile int state[8];

__global__ void prefix(int* data) {
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) {
    while (state[blockIdx.x - 1] == 0) {
    }
#ifdef FIXED
    __threadfence();
#endif
    before = data[blockIdx.x - 1];
  }
  data[blockIdx.x] = before + 1;
  __threadfence();
  state[blockIdx.x] = 1;
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  prefix<<<8, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
