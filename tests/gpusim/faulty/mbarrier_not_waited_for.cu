// expect-finding: race 17 24
// expect-finding: never written 17 24 maybe
// advice: (ADVISED) put __syncthreads() between writing and reading
// advice: (ADVISED) and one with work must store before it is read
// advice: (ADVISED) store there first, with __syncthreads() between storing and reading
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
#elif defined ADVISED
  __syncthreads();
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
