// expect-finding: race 10 19
// advice: give each thread its own element
// advice: (ADVISED) put __syncthreads() between
// Two warps store into the same half of an array.
#include <cuda_runtime.h>

__global__ void fill(int* data) {
  const int t = threadIdx.x;
  if (t < 32) {
    data[t] = t;
  }
#ifdef ADVISED
  __syncthreads();
#endif
  if (t >= 32) {
#ifdef FIXED
    data[t] = t;
#else
    data[t - 32] = t;
#endif
  }
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  fill<<<1, 64>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
