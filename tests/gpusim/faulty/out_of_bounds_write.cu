// expect-finding: out of bounds 12
// expect-text: writes out[100], beyond the 100 ints of out
// advice: let only threads below n = 100 access the array (if (i < n))
// One element too far.
#include <cuda_runtime.h>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) out[i] = i;
#else
  if (i <= n) out[i] = i;
#endif
}

int main() {
  int* d_out;
  cudaMalloc(&d_out, 100 * sizeof(int));
  fill<<<4, 32>>>(d_out, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
