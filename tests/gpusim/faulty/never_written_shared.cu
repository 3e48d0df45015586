// expect-finding: never written 17
// expect-text: had not stored to tile[6
// advice: a thread without work must store a value as well (0 for a sum)
// Threads beyond the end of the input leave their slot of the tile as it was.
#include <cuda_runtime.h>

__global__ void sum(const int* in, int n, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
#ifdef FIXED
  tile[t] = t < n ? in[t] : 0;
#else
  if (t < n) tile[t] = in[t];
#endif
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) tile[t] += tile[t + half];
  }
  if (t == 0) *out = tile[0];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 60 * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0, 60 * sizeof(int));
  sum<<<1, 64>>>(d_in, 60, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
