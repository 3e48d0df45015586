// expect: 2048 threads: invalid configuration argument
// expect: empty grid: cudaErrorInvalidConfiguration
// expect: too deep a block: cudaErrorInvalidConfiguration
// expect: 200 KiB of shared memory: cudaErrorInvalidValue
// expect: device 3: cudaErrorInvalidDevice
// expect: freed twice: cudaErrorInvalidValue
// expect: 1 TiB: cudaErrorMemoryAllocation
// expect: too long a copy: cudaErrorInvalidValue
// expect: after all that: cudaSuccess, value 42
#include <cstdio>

__global__ void set(int* p, int value) { *p = value; }

static void show(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

int main() {
  int *d_p, *d_other, value = 0;
  cudaMalloc(&d_p, sizeof(int));
  set<<<1, 2048>>>(d_p, 1);
  std::printf("2048 threads: %s\n", cudaGetErrorString(cudaGetLastError()));
  set<<<0, 1>>>(d_p, 1);
  show("empty grid", cudaPeekAtLastError());
  set<<<1, dim3(1, 1, 128)>>>(d_p, 1);
  show("too deep a block", cudaGetLastError());
  set<<<1, 1, 200 * 1024>>>(d_p, 1);
  show("200 KiB of shared memory", cudaGetLastError());
  show("device 3", cudaSetDevice(3));
  cudaMalloc(&d_other, 256);
  cudaFree(d_other);
  show("freed twice", cudaFree(d_other));
  show("1 TiB", cudaMalloc(&d_other, size_t(1) << 40));
  show("too long a copy", cudaMemcpy(&value, d_p, 1 << 20, cudaMemcpyDeviceToHost));
  set<<<1, 1>>>(d_p, 42);
  const cudaError_t error = cudaMemcpy(&value, d_p, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("after all that: %s, value %d\n", cudaGetErrorName(error), value);
  cudaFree(d_p);
}
// SPDX-License-Identifier: MIT
