// expect-finding: never written 14
// expect-text: reads 4 bytes of an array of its own, which it has not written
// advice: give the array values before its elements are read or added to
// Each thread adds to sums of its own, which nothing has set to zero.
#include <cuda_runtime.h>

__global__ void moments(const int* in, int n, float* out) {
#ifdef FIXED
  float sum[4] = {};
#else
  float sum[4];
#endif
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) sum[in[i] & 3] += 1;
  for (int k = 0; k < 4; ++k) atomicAdd(&out[k], sum[k]);
}

int main() {
  constexpr int n = 1024;
  int* d_in;
  float* d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, 4 * sizeof(float));
  cudaMemset(d_in, 0, n * sizeof(int));
  cudaMemset(d_out, 0, 4 * sizeof(float));
  moments<<<2, 64>>>(d_in, n, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
