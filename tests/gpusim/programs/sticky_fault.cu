// expect: launch: no error
// expect: synchronise: an illegal memory access was encountered
// expect: malloc: cudaErrorIllegalAddress
// expect: next launch: cudaErrorIllegalAddress
// expect: after reset: cudaSuccess
// expect-error: sticky_fault.cu:9:
#include <cstdio>

__global__ void beyond(int* values, int n) { values[n + threadIdx.x] = 1; }

int main() {
  int* d_values;
  cudaMalloc(&d_values, 64 * sizeof(int));
  beyond<<<1, 32>>>(d_values, 40);
  std::printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
  std::printf("synchronise: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&d_values, 4)));
  beyond<<<1, 1>>>(d_values, 0);
  std::printf("next launch: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceReset();
  cudaMalloc(&d_values, 64 * sizeof(int));
  beyond<<<1, 32>>>(d_values, 0);
  std::printf("after reset: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(d_values);
}
// SPDX-License-Identifier: MIT
