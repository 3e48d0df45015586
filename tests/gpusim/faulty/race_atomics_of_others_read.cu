// expect-finding: race 13 18
// advice: make the other access atomic too
// advice: (ADVISED_LAUNCH) put the other access into a launch of its own
// Every thread counts itself, and the last thread of the grid reads the count. Its own update is the latest; those of other threads are
// not ordered before its read.
#include <cuda_runtime.h>

#ifdef ADVISED_LAUNCH
__global__ void read_count(const int* counter, int* out) { out[0] = *counter; }
#endif

__global__ void count(int* counter, int* out) {
  atomicAdd(counter, 1);
#ifdef FIXED
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1) out[0] = atomicAdd(counter, 0);
#elif !defined ADVISED_LAUNCH
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1)
    out[0] = *counter;
#endif
}

int main() {
  int *counter, *out;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<8, 32>>>(counter, out);
#ifdef ADVISED_LAUNCH
  read_count<<<1, 1>>>(counter, out);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
