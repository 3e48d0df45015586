// expect-finding: refused call 26
// expect-text: : raise them, or launch smaller blocks
// advice: raise them
// advice: (ADVISED_SMALLER) launch smaller blocks
// advice: (ADVISED) call cudaGetLastError() after the launch
// A kernel is compiled for blocks of 64 threads, and launched with blocks of 128.
#include <cuda_runtime.h>

#ifdef FIXED
#define MOST 128
#else
#define MOST 64
#endif

__global__ void __launch_bounds__(MOST) fill(int* data) { data[threadIdx.x] = 1; }

int main() {
  int* data;
  cudaMalloc(&data, 128 * sizeof *data);
#ifdef ADVISED
  fill<<<1, 128>>>(data);
  if (cudaGetLastError() != cudaSuccess) fill<<<1, 64>>>(data);
#elif defined(ADVISED_SMALLER)
  fill<<<1, 64>>>(data);
#else
  fill<<<1, 128>>>(data);
#endif
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(data);
  return fails;
}
// SPDX-License-Identifier: MIT
