// rejected: wrong result
// Words are added in doubles, in the order in which they arrive: not even a double is exact where large sums cancel out.
// Chapter 12 · At the limit
#pragma once

#include <cuda_runtime.h>

#include <block_sum.cuh>
#include <block_words.cuh>
#include <cstdint>

inline constexpr int kLoads = 8;  // loads of 16 bytes that a thread makes before it uses the first
// n is 0 … 2^30, and a grid has at most 2^23 threads.

// in[0, n) in three parts: `head` floats, `fours` times 4 floats that begin on a 16-byte boundary, `tail` floats.
struct Parts {
  int head, fours, tail;
};

// Head and tail have at most 3 floats each. `in` is aligned as a float is, to 4 bytes.
__host__ __device__ inline Parts parts_of(const float* in, int n) {
  const int past = static_cast<int>(reinterpret_cast<std::uintptr_t>(in) % 16 / 4);  // floats since the last boundary
  const int gap = (4 - past) % 4;
  const int head = gap < n ? gap : n;
  return {head, (n - head) / 4, (n - head) % 4};
}

inline constexpr int kFoursARound = kLoads * kBlock;  // that a block takes in a round

__device__ inline float added(float4 four) { return (four.x + four.y) + (four.z + four.w); }
__device__ inline float only_if(bool exists, float value) { return exists ? value : 0.0f; }

// The sum of one thread's floats. In a round a block takes kLoads * kBlock fours in a row, 32 neighbours for each load of
// a warp; its next round lies beyond this round of all blocks. The first threads of the grid take head and tail.
__device__ inline float thread_sum(const float* in, int n) {
  const Parts parts = parts_of(in, n);
  const int me = blockIdx.x * kBlock + threadIdx.x;
  const float4* fours = reinterpret_cast<const float4*>(in + parts.head);
  float sum = 0.0f;
  if (me < parts.head) sum += in[me];
  if (me < parts.tail) sum += in[n - parts.tail + me];

#pragma unroll 1
  for (int first = blockIdx.x * kFoursARound + threadIdx.x; first < parts.fours; first += gridDim.x * kFoursARound) {
    float4 four[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) four[k] = __ldcs(&fours[min(first + k * kBlock, parts.fours - 1)]);
#pragma unroll
    for (int k = 0; k < kLoads; ++k) sum += only_if(first + k * kBlock < parts.fours, added(four[k]));
  }
  return sum;
}

// The total of thread 0's `mine` and the sums of blocks 0 … blocks - 1, in thread 0. Empties their words. All threads of
// one block call it. The words are always added in the same order, whichever block is done first.
__device__ inline float collect(BlockWord* words, int blocks, float mine) {
  constexpr int kAtOnce = 8;  // words that a thread waits for at a time
  double sum = threadIdx.x == 0 ? mine : 0.0f;  // a double is so exact that the order makes no difference to a float
  for (int first = threadIdx.x; first < blocks; first += kAtOnce * kBlock) {
    unsigned missing = (1u << kAtOnce) - 1;  // one bit a word
    while (missing != 0) {
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        if ((missing >> k & 1) == 0) continue;
        const int b = first + k * kBlock;
        const BlockWord bits = b < blocks ? read(&words[b]) : kNothing;
        if (is_empty(bits)) continue;
        sum += sum_in(bits);
        if (b < blocks) clear(&words[b]);
        missing &= ~(1u << k);
      }
    }
  }
  __syncthreads();  // block_sum needs it, because this block has called block_sum before
  return block_sum(static_cast<float>(sum));
}

inline constexpr bool kOneLaunch = true;

// If kOneLaunch: *sum = in[0] + … + in[n - 1]. If not, each word gets one block's sum. All words must be empty before.
__global__ void __launch_bounds__(kBlock) sum_one_launch(const float* in, float* sum, BlockWord* words, int n) {
  const float mine = block_sum(thread_sum(in, n));
  if (kOneLaunch && blockIdx.x == gridDim.x - 1) {
    const float all = collect(words, gridDim.x - 1, mine);
    if (threadIdx.x == 0) *sum = all;
  } else if (threadIdx.x == 0) {
    publish(&words[blockIdx.x], mine);
  }
}

__global__ void __launch_bounds__(kBlock) add_words(float* sum, BlockWord* words, int blocks) {
  const float all = collect(words, blocks, 0.0f);
  if (threadIdx.x == 0) *sum = all;
}

// *d_sum = the sum of d_in[0, n), which may begin at any float. d_words has one word for each block; the words must be
// empty before, and are empty again afterwards.
inline void sum_all(const float* d_in, float* d_sum, BlockWord* d_words, int n, int blocks) {
  sum_one_launch<<<blocks, kBlock>>>(d_in, d_sum, d_words, n);
  if (!kOneLaunch) add_words<<<1, kBlock>>>(d_sum, d_words, blocks);
}
// SPDX-License-Identifier: MIT
