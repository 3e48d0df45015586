// expect-finding: never written 11
// expect-text: block 7 of block_sums had not stored to sums[7] when block 0, thread
// advice: a block without work must store a value as well (0 for a sum)
// A block without work leaves its slot as it was; the kernel that adds the slots reads it. Both lines are shown.
#include <cuda_runtime.h>

__global__ void block_sums(const float* in, float* sums, int n) {
#ifndef FIXED
  if (blockIdx.x * blockDim.x >= n) return;
#endif
  if (threadIdx.x == 0) sums[blockIdx.x] = blockIdx.x * blockDim.x < n ? in[blockIdx.x] : 0;
}

__global__ void add(const float* sums, float* total, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += sums[k];
  if (threadIdx.x == 0) *total = sum;
}

int main() {
  float *d_in, *d_sums, *d_total;
  cudaMalloc(&d_in, 200 * sizeof(float));
  cudaMalloc(&d_sums, 8 * sizeof(float));
  cudaMalloc(&d_total, sizeof(float));
  cudaMemset(d_in, 0, 200 * sizeof(float));
  block_sums<<<8, 32>>>(d_in, d_sums, 200);
  add<<<1, 32>>>(d_sums, d_total, 8);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_sums);
  cudaFree(d_total);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
