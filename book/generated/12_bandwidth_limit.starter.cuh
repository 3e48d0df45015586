// Chapter 12 · At the limit
// Question  Chapter 09 waits for memory, and still does not get all that memory can give. What is in the way?
// Change    Three gaps: 16 bytes a load, whatever the alignment; several loads before the first is used; one launch.
// Asked     the same sum to the last bit in every run, from any address, in one launch; 16 bytes a lane and several
//           loads in flight.
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

// ANCHOR: parts
// Head and tail have at most 3 floats each. `in` is aligned as a float is, to 4 bytes.
__host__ __device__ inline Parts parts_of([[maybe_unused]] const float* in, int n) {
  // TODO(you): reinterpret_cast<std::uintptr_t>(in) is the address in bytes. How many floats lie between it and the
  // next multiple of 16? None if it is such a multiple itself, and never more than n. As shipped, all of in[] is head.
  return {n, 0, 0};
}
// ANCHOR_END: parts

// ANCHOR: thread_sum
// The sum of one thread's floats. In a round a block takes kLoads * kBlock fours in a row, 32 neighbours for each load of
// a warp; its next round lies beyond this round of all blocks. The first threads of the grid take head and tail.
__device__ inline float thread_sum(const float* in, int n) {
  const Parts parts = parts_of(in, n);
  const int me = blockIdx.x * kBlock + threadIdx.x, threads = gridDim.x * kBlock;

  // TODO(you): this adds all of in[0, n) float by float. Add the fours as float4, in rounds: a thread loads kLoads of
  // them, kBlock apart, into an array, with __ldcs(), which tells the cache that they will not be needed again. Issue all
  // loads before you add the first. Unroll the loops over the array: with constant indices it lives in registers. In the
  // last round some of the kLoads fours may not exist. In place of a missing one, load one that exists, and add 0. (A load
  // within an `if` may have to arrive before the next can be issued.) Each float of head and tail is for one thread.
  float sum = 0.0f;
  for (int i = me; i < parts.head; i += threads) sum += in[i];
  for (int i = n - parts.tail + me; i < n; i += threads) sum += in[i];
  return sum;
}
// ANCHOR_END: thread_sum

// ANCHOR: collect
// The total of thread 0's `mine` and the sums of blocks 0 … blocks - 1, in thread 0. Empties their words. All threads of
// one block call it. The words are always added in the same order, whichever block is done first.
__device__ inline float collect(BlockWord* words, int blocks, float mine) {
  constexpr int kAtOnce = 8;  // words that a thread loads before it uses the first
  float sum = threadIdx.x == 0 ? mine : 0.0f;
  for (int first = threadIdx.x; first < blocks; first += kAtOnce * kBlock) {
    BlockWord bits[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const int b = first + k * kBlock;
      bits[k] = b < blocks ? read(&words[b]) : kNothing;
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const int b = first + k * kBlock;

      // TODO(you): the word of a block that has not stored its sum yet is empty. Wait for the sum: read() the word again
      // until it is not empty. (With two launches no word is empty.)

      sum += sum_in(bits[k]);
      if (b < blocks) clear(&words[b]);
    }
  }
  __syncthreads();  // block_sum needs it, because this block has called block_sum before
  return block_sum(sum);
}

// TODO(you): set this to true once collect() waits. Then the block with the highest number collects while others may
// still be adding, and you need no second launch.
inline constexpr bool kOneLaunch = false;
// ANCHOR_END: collect

// ANCHOR: kernel
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
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
