// expect-finding: refused call 8
// expect-text: fill is called like a function, without <<<grid, block>>>
// advice: (ADVISED) call cudaGetLastError() after the launch
// A function that takes the kernel like any other function, as a timer of host functions does, and calls it like one. The compiler
// cannot tell.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[blockIdx.x] = 1; }

template <class F> void timed(F f, int* data) {
#ifdef FIXED
  f<<<1, 1>>>(data);
#else
  f(data);
#endif
#ifdef ADVISED
  if (cudaGetLastError() != cudaSuccess) f<<<1, 1>>>(data);
#endif
}

int main() {
  int* data;
  if (cudaMalloc(&data, sizeof *data) != cudaSuccess) return 1;
  timed(fill, data);
#ifdef FIXED
  if (cudaGetLastError() != cudaSuccess) return 1;
#endif
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(data);
  return fails;
}
// SPDX-License-Identifier: MIT
