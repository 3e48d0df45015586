// expect: cudaErrorAssert: device-side assert triggered
// expect-error: device_assert.cu:13:
// expect-error: block: [1,0,0], thread: [3,0,0] Assertion `values[i] > 0` failed.
// expect-error: block: [1,0,0], thread: [5,0,0] Assertion `values[i] > 0` failed.
// expect-exit: 3
#include <cassert>
#include <cstdio>

#include <cuda_runtime.h>

__global__ void positive(const int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(values[i] > 0);
}

int main() {
  int* values;
  cudaMallocManaged(&values, 16 * sizeof(int));
  for (int i = 0; i < 16; ++i) values[i] = i == 11 || i == 13 ? -1 : 1;
  positive<<<2, 8>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  return error == cudaErrorAssert ? 3 : 0;
}
// SPDX-License-Identifier: MIT
