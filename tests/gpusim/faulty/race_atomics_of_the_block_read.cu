// expect-finding: race 9 17
// advice: put a barrier
// advice: (ADVISED_ATOMIC) make the other access atomic too
// Every thread of a block counts itself, and one reads the count without waiting for the others.
#include <cuda_runtime.h>

// The counter has the updates of the block's threads only.
__global__ void count(int* counter, int* out) {
  atomicAdd(counter, 1);
#ifdef FIXED
  __syncthreads();
#endif
#ifdef ADVISED_ATOMIC
  if (threadIdx.x == 0) *out = atomicAdd(counter, 0);
#else
  if (threadIdx.x == 0) *out = *counter;
#endif
}

int main() {
  int *counter, *out;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<1, 64>>>(counter, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
