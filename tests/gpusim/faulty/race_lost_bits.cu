// expect-finding: race 11
// expect-text: each reads it, changes it and writes it back
// advice: make the update atomic (atomicOr)
// Each thread sets a bit of its own, but 32 of them set it in the same word.
#include <cuda_runtime.h>

__global__ void mark(const int* in, unsigned* mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bit = 1u << i % 32;
#ifndef FIXED
  if (in[i] == 0) mask[i / 32] |= bit;
#else
  if (in[i] == 0) atomicOr(&mask[i / 32], bit);
#endif
}

int main() {
  int* in;
  unsigned* mask;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&mask, 4 * sizeof(unsigned));
  cudaMemset(in, 0, 128 * sizeof(int));
  cudaMemset(mask, 0, 4 * sizeof(unsigned));
  mark<<<1, 128>>>(in, mask);
  cudaFree(in);
  cudaFree(mask);
  return cudaDeviceSynchronize();
}
// SPDX-License-Identifier: MIT
