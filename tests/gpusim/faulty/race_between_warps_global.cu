// expect-finding: race 10 14
// advice: put __syncthreads() between
// A warp reads from global memory what another warp of its block writes there, and does not wait for it.
#include <cuda_runtime.h>

// Each thread stores an element and reads that of another one.
__global__ void reverse(int* data, int* out) {
  const int t = threadIdx.x;

  data[t] = t;
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = data[63 - t];
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMalloc(&out, 64 * sizeof *out);
  cudaMemset(data, 0, 64 * sizeof *data);
  reverse<<<1, 64>>>(data, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
