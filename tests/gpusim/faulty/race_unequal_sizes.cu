// expect-finding: race 18
// A word in two halves: whoever reads it whole may see one half new and the other old.
#include <cuda_runtime.h>

__global__ void pass_on(unsigned long long* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
#ifdef FIXED
    *static_cast<volatile unsigned long long*>(data) = 1ull << 32 | 7;
#else
    volatile unsigned* const half = reinterpret_cast<unsigned*>(data);
    half[0] = 7;
    half[1] = 1;
#endif
    return;
  }
  unsigned long long word;
  do word = *static_cast<volatile unsigned long long*>(data);
  while (word >> 32 == 0);
  data[1] = word;
}

int main() {
  unsigned long long* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  pass_on<<<2, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
