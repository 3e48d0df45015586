// One number from all GPUs: each adds up its share of an array, then they combine what they have.
#pragma once

#include "team.cuh"

inline constexpr int kLoads = 8;  // of 16 bytes that a thread makes before it uses the first
inline constexpr int kMostSumBlocks = 8192;

// A sum and the number of its launch, in one word that is written whole and read whole, so no fence is needed.
using Word = unsigned long long;
__device__ inline void publish(volatile Word* word, unsigned launch, float sum) {
  *word = Word(launch) << 32 | __float_as_uint(sum);
}
__device__ inline float await(const volatile Word* word, unsigned launch) {
  Word bits = *word;
  while (unsigned(bits >> 32) != launch) bits = *word;
  return __uint_as_float(unsigned(bits));
}

// Where the words of a GPU lie: one for each of its blocks, and one for each GPU.
struct Words {
  int ranks = 0, rank = 0;
  Word* of_block;           // on this GPU
  Word* of_gpu[kMostGpus];  // on each GPU: one word from each GPU
  Word* here;               // those on this GPU
};

__device__ inline float sum_of_warp(float sum) {
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  return sum;
}
// Thread 0 gets the block's sum. Before a second call, the block needs a barrier.
__device__ inline float sum_of_block(float sum) {
  __shared__ float slots[kThreads / 32];
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) sum = sum_of_warp(threadIdx.x < kThreads / 32 ? slots[threadIdx.x] : 0.0f);
  return sum;
}

// What one thread adds up of in[0, n), as in chapter 12. n is a multiple of 4.
__device__ inline float sum_of_thread(const float* in, long long n) {
  const float4* fours = reinterpret_cast<const float4*>(in);
  const long long count = n / 4, round = (long long)kLoads * kThreads;
  float sum = 0.0f;
  for (long long first = blockIdx.x * round + threadIdx.x; first < count; first += gridDim.x * round) {
    float4 four[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) four[k] = __ldcs(&fours[min(first + k * kThreads, count - 1)]);
#pragma unroll
    for (int k = 0; k < kLoads; ++k)
      sum += first + k * kThreads < count ? (four[k].x + four[k].y) + (four[k].z + four[k].w) : 0.0f;
  }
  return sum;
}

// True in the last block, whose thread 0 gets the sum of all blocks of this GPU, always added in one order. Others are done.
__device__ inline bool sum_of_gpu(const float* in, long long n, Word* words, unsigned launch, float& sum) {
  sum = sum_of_block(sum_of_thread(in, n));
  if (threadIdx.x == 0) publish(&words[blockIdx.x], launch, sum);
  if (blockIdx.x != gridDim.x - 1) return false;
  __syncthreads();  // sum_of_block() is called again, and uses the same shared memory
  float all = 0.0f;
  for (int b = threadIdx.x; b < gridDim.x; b += kThreads) all += await(&words[b], launch);
  sum = sum_of_block(all);
  return true;
}

// Writes this GPU's sum to *sum. Combining the sums of all GPUs is left to other code.
__global__ void __launch_bounds__(kThreads)
    sum_here(const float* in, float* sum, long long n, Words words, unsigned launch) {
  float mine;
  if (sum_of_gpu(in, n, words.of_block, launch, mine) && threadIdx.x == 0) *sum = mine;
}

// ANCHOR: fused
// Sums and combines in one launch: the last block of each GPU tells all GPUs its sum, and waits for theirs.
__global__ void __launch_bounds__(kThreads)
    sum_everywhere(const float* in, float* sum, long long n, Words words, unsigned launch) {
  float mine;
  if (!sum_of_gpu(in, n, words.of_block, launch, mine)) return;
  if (threadIdx.x == 0) {
#pragma unroll  // constant indices: else every thread copies the pointers to its local memory
    for (int g = 0; g < kMostGpus; ++g)
      if (g < words.ranks) publish(&words.of_gpu[g][words.rank], launch, mine);
    float all = 0.0f;
    for (int g = 0; g < words.ranks; ++g) all += await(&words.here[g], launch);
    *sum = all;
  }
}
// ANCHOR_END: fused

// *sum += *other
__global__ void add_one(float* sum, const float* other) { *sum += *other; }
// SPDX-License-Identifier: MIT
