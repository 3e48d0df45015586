// rejected: right, but it makes warps wait at a barrier 80 times for every 512 elements
// Larger blocks: 512 threads in plans A and C, 512 elements in plan B. Plan C has an element a thread, so
// half of its threads never add; and a larger block makes more warps wait, and once more, in every plan.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 512;
inline constexpr int kThreadsB = kBlock / 2;
inline constexpr int kElementsC = 512;

__device__ void add_up_tile(float* tile, float sum, float* block_sum) {
  const unsigned t = threadIdx.x;
  tile[t] = sum;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) *block_sum = tile[0];
}

__global__ void sum_half_the_blocks(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x, second = i + gridDim.x * kBlock;
  float sum = i < n ? in[i] : 0.0f;
  if (second < n) sum += in[second];
  add_up_tile(tile, sum, &block_sums[blockIdx.x]);
}

__global__ void sum_half_the_threads(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreadsB];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreadsB < n) sum += in[i + kThreadsB];
  add_up_tile(tile, sum, &block_sums[blockIdx.x]);
}

__global__ void sum_adjacent_tiles(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int i = blockIdx.x * kElementsC + threadIdx.x;
  add_up_tile(tile, i < n ? in[i] : 0.0f, &block_sums[blockIdx.x]);
}
