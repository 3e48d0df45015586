// Complete kernels to compare with the step: one fixes at compile time how many elements a thread adds, one
// keeps its sum in the wrong place, and one allows any number of threads per block. n is at most 2^30.
#pragma once

#include <kernels.cuh>

// Sums each stretch of kThreads * kPerThread elements of in[0, n) into block_sums[blockIdx.x]. Needs
// max(1, ceil(n / (kThreads * kPerThread))) blocks of kThreads threads. kPerThread = 2 is chapter 07.
// ANCHOR: fixed
template <int kThreads, int kPerThread>
__global__ void sum_fixed(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  const int first = blockIdx.x * (kThreads * kPerThread) + t;

  float sum = 0.0f;
#pragma unroll  // the count is known, so all kPerThread loads are written out, and none waits for another
  for (int k = 0; k < kPerThread; ++k) {
    const int i = first + k * kThreads;
    if (i < n) sum += in[i];  // the last block's stretch need not be full
  }

  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: fixed

// The step's loop, right for any n and any grid, with the running sum in the tile. `volatile` makes the
// compiler do what is written: read the slot, add, write the slot, for every element.
// ANCHOR: in_shared
template <int kThreads>
__global__ void sum_in_shared(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;
  volatile float* const running = &tile[t];

  *running = 0.0f;
  for (int i = blockIdx.x * kThreads + t; i < n; i += gridDim.x * kThreads) *running = *running + in[i];

  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: in_shared

// The step's loop in a block of any number of threads, 1 … 1024, with a tree that can halve an odd number:
// the middle one of `width` elements waits a level. Needs blockDim.x floats of dynamic shared memory.
// ANCHOR: any_block
__global__ void sum_any_block(const float* in, float* block_sums, int n) {
  extern __shared__ float slots[];  // one per thread: the launch says how many
  const int t = threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride) sum += in[i];

  slots[t] = sum;
  __syncthreads();  // all slots are written before any thread reads another's
  for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
    const int half = (width + 1) / 2;
    if (t + half < width) slots[t] += slots[t + half];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (t == 0) block_sums[blockIdx.x] = slots[0];
}
// ANCHOR_END: any_block
// SPDX-License-Identifier: MIT
