// expect-finding: race 14 19
// expect-finding: never written 14 19 maybe
// Each thread arrives, and reads what another one has stored without waiting for it.
#include "mbarrier.cuh"

__global__ void reverse(int* out) {
  __shared__ Mbarrier barrier;
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);
  __syncthreads();
  // The next store is for another thread.

  tile[t] = t;
  const Mbarrier state = arrive(&barrier);
#ifdef FIXED
  wait(&barrier, state);
#endif
  out[t] = tile[63 - t];
#ifndef FIXED
  wait(&barrier, state);
#endif
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
