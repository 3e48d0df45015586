// expect-finding: shuffle 13
// expect-text: calls a shuffle with the width 12, which is not a power of two, so the result is undefined: use a width of 1, 2, 4, 8, 16 or 32
// advice: use a width of 1, 2, 4, 8, 16 or 32
// A shuffle in groups of 12 lanes, which there cannot be.
#include <cuda_runtime.h>

#ifdef FIXED
constexpr int kWidth = 8;
#else
constexpr int kWidth = 12;
#endif

__global__ void first_of_group(int* out) { out[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 0, kWidth); }

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof *out);
  first_of_group<<<1, 32>>>(out);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(out);
  return fails;
}
// SPDX-License-Identifier: MIT
