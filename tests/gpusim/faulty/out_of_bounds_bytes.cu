// expect-finding: out of bounds 10
// expect-text: the allocation has 100 bytes, and n = 100 counts elements: allocate n * sizeof(float)
// advice: allocate n * sizeof(float)
// cudaMalloc counts bytes, and is given elements.
#include <cuda_runtime.h>

__global__ void fill(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  data[i] = 1;
}

int main() {
  float* data;
#ifdef FIXED
  cudaMalloc(&data, 100 * sizeof *data);
#else
  cudaMalloc(&data, 100);
#endif
  fill<<<1, 128>>>(data, 100);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  if (!fails) cudaFree(data);
  return fails;
}
// SPDX-License-Identifier: MIT
