// expect: 64 KiB refused: cudaErrorInvalidValue
// expect: 64 KiB after the attribute: no error, reversed 16384 values, 0 wrong
// expect: 2 blocks of 1024 threads and 64 KiB fit on a multiprocessor
#include <cstdio>

__global__ void reverse(int* values, int n) {
  extern __shared__ int tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = values[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = tile[n - 1 - i];
}

int main() {
  const int n = 16384, bytes = n * sizeof(int);
  int* values;
  cudaMallocManaged(&values, bytes);
  for (int i = 0; i < n; ++i) values[i] = i;
  reverse<<<1, 256, bytes>>>(values, n);
  std::printf("64 KiB refused: %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  reverse<<<1, 256, bytes>>>(values, n);
  const cudaError_t error = cudaDeviceSynchronize();
  int wrong = 0, blocks = 0;
  for (int i = 0; i < n; ++i) wrong += values[i] != n - 1 - i;
  std::printf("64 KiB after the attribute: %s, reversed %d values, %d wrong\n", cudaGetErrorString(error), n,
              wrong);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse, 1024, bytes);
  std::printf("%d blocks of 1024 threads and 64 KiB fit on a multiprocessor\n", blocks);
  cudaFree(values);
  return wrong != 0;
}
// SPDX-License-Identifier: MIT
