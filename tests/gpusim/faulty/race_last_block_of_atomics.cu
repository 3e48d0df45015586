// expect-finding: race 20
// advice: put __syncthreads() between the write and the fence
// Every thread of every block adds to the bins; thread 0 draws its block's ticket before the other warps of the block have added.
// The updates that the last block reads are atomics of many threads, and the latest ones are its own.
#include <cuda_runtime.h>

__device__ unsigned finished;

__global__ void histogram(const int* keys, int* bins, int* total) {
  __shared__ bool is_last;
  atomicAdd(&bins[keys[blockIdx.x * blockDim.x + threadIdx.x]], 1);
#ifdef FIXED
  __syncthreads();
#endif
  __threadfence();
  if (threadIdx.x == 0) is_last = atomicAdd(&finished, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (threadIdx.x < 8) total[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  int *keys, *bins, *total, host[512];
  for (int i = 0; i < 512; ++i) host[i] = i % 8;
  cudaMalloc(&keys, sizeof host);
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMalloc(&total, 8 * sizeof(int));
  cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 8 * sizeof(int));
  histogram<<<4, 128>>>(keys, bins, total);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(keys);
  cudaFree(bins);
  cudaFree(total);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
