// expect-finding: race 11 12
// advice: make the other access atomic too
// A thread reads the counter plainly and then updates it by an atomic. Its own atomic orders nothing: other threads' atomics may
// come before that read or after it.
#include <cuda_runtime.h>

__global__ void count(int* counter, int* seen) {
#ifdef FIXED
  const int before = atomicAdd(counter, 1);
#else
  const int before = *counter;
  atomicAdd(counter, 1);
#endif
  seen[blockIdx.x] = before;
}

int main() {
  int *counter, *seen;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&seen, 8 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<8, 1>>>(counter, seen);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(seen);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
