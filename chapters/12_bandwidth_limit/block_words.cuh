// How a block hands its sum to another one while both run: in one 64-bit word of global memory.
//
//   bits 63…32  1: the sum is there; 0: the block has not come so far
//   bits 31…0   the sum
//
// Why no fence is needed. Who finds the 1 must find the sum as well, and not what stood there before. Both are in
// one aligned word, which is written whole and read whole; there is no second place that could lag behind the first.
// So `relaxed` is enough: it makes the access atomic, and orders nothing around it. The same holds when the word is
// emptied: that store follows a load of the same word, and such two are never exchanged. (With the sum in one place and
// the 1 in another, the order of two stores matters, and of two loads: sum_last_block in steps.cuh.)
//
// Why waiting for a word ends. No block waits but the one that collects, so all others run to their end as soon as
// there is room for them, and a GPU has room for more than one block.
#pragma once

#include <cuda_runtime.h>

using BlockWord = unsigned long long;  // 0 to begin with: cudaMemset makes it

// Makes `sum` known to the block that collects.
__device__ inline void publish(BlockWord* word, float sum) {
  const BlockWord bits = BlockWord(1) << 32 | __float_as_uint(sum);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(bits) : "memory");
}

// Makes the word empty again, for the next launch.
__device__ inline void clear(BlockWord* word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(word), "l"(BlockWord(0)) : "memory");
}

// The word as it is now. It may be another the next time.
__device__ inline BlockWord read(const BlockWord* word) {
  BlockWord bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(word) : "memory");
  return bits;
}
inline constexpr BlockWord kNothing = BlockWord(1) << 32;  // of no block: it is there, and its sum is 0
__device__ inline bool is_empty(BlockWord bits) { return bits >> 32 == 0; }
__device__ inline float sum_in(BlockWord bits) { return __uint_as_float(unsigned(bits)); }
// SPDX-License-Identifier: MIT
