// expect-finding: never written 14
// expect-text:  reads total[
// advice: initialise it (cudaMemset
// advice: (ADVISED_COPY) cudaMemcpy
// advice: (ADVISED_STORE) store before reading
// A sum that begins with whatever the memory held.
#include <cuda_runtime.h>

__global__ void add(const int* in, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef ADVISED_STORE
  total[i] = 0;
#endif
  total[i] += in[i];
}

int main() {
  int *d_in, *d_total;
  cudaMalloc(&d_in, 64 * sizeof(int));
  cudaMalloc(&d_total, 64 * sizeof(int));
  cudaMemset(d_in, 0, 64 * sizeof(int));
#ifdef FIXED
  cudaMemset(d_total, 0, 64 * sizeof(int));
#elif defined ADVISED_COPY
  cudaMemcpy(d_total, d_in, 64 * sizeof(int), cudaMemcpyDeviceToDevice);
#endif
  add<<<2, 32>>>(d_in, d_total);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_total);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
