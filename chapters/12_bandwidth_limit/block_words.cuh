// How a block passes its sum to another block while both run: in one 64-bit word of global memory.
//
//   bits 63…32  1: the sum is there; 0: the block has not stored it yet
//   bits 31…0   the sum
//
// Why no fence is needed. A thread that reads the 1 must read the sum as well, and not an older value. Both are in
// one aligned word, which is written whole and read whole; there is no second place that could lag behind the first.
// So `relaxed` is enough: it makes the access atomic, and orders nothing around it. The same holds when the word is
// emptied: that store follows a load of the same word, and the two are never reordered. (With the sum in one place and
// the 1 in another, the order of the two stores matters, and that of the two loads: see sum_last_block in steps.cuh.)
//
// Why the wait for a word ends. Only the block that collects waits. All others run to their end as soon as there is
// room for them, and a GPU has room for more than one block.
#pragma once

#include <cuda_runtime.h>

using BlockWord = unsigned long long;  // starts as 0, which cudaMemset can set

// Makes `sum` known to the block that collects.
__device__ inline void publish(BlockWord* word, float sum) {
  const BlockWord bits = BlockWord(1) << 32 | __float_as_uint(sum);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(bits) : "memory");
}

// Makes the word empty again, for the next launch.
__device__ inline void clear(BlockWord* word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(BlockWord(0)) : "memory");
}

// The word as it is now. The next read may find another.
__device__ inline BlockWord read(const BlockWord* word) {
  BlockWord bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(word) : "memory");
  return bits;
}
inline constexpr BlockWord kNothing = BlockWord(1) << 32;  // for a block that does not exist: the sum 0
__device__ inline bool is_empty(BlockWord bits) { return bits >> 32 == 0; }
__device__ inline float sum_in(BlockWord bits) { return __uint_as_float(unsigned(bits)); }
// SPDX-License-Identifier: MIT
