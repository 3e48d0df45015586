// expect-finding: race 10 14 maybe
// expect-finding: it arrives at a barrier in shared memory that was not initialised 14 maybe
// advice: put __syncthreads() between initialising the barrier and using it
// advice: let one thread init() it, and put __syncthreads() after that
// One thread initialises the barrier, and the others arrive there without having waited for that. Where
// they come first, nothing is there yet.
#include "mbarrier.cuh"

__global__ void reverse(int* out) {
  __shared__ Mbarrier barrier;
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  if (t == 0) init(&barrier, 64);
#ifdef FIXED
  __syncthreads();
#endif
  wait(&barrier, arrive(&barrier));
  out[t] = tile[63 - t];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  reverse<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
