// expect-finding: out of bounds 12
// expect-text: ], beyond the 100 ints of in (add_halves
// Too far by so much that another array is nearer.
#include <cuda_runtime.h>

__global__ void add_halves(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#ifdef FIXED
  out[i] = in[i] + (i + 1024 < n ? in[i + 1024] : 0);
#else
  out[i] = in[i] + in[i + 1024];
#endif
}

int main() {
  int *d_in, *d_between, *d_out;
  cudaMalloc(&d_in, 100 * sizeof(int));
  cudaMalloc(&d_between, 3400);
  cudaMalloc(&d_out, 100 * sizeof(int));
  cudaMemset(d_in, 0, 100 * sizeof(int));
  add_halves<<<4, 32>>>(d_in, d_out, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_between);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
