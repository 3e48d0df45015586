// What cooperative_groups.h is made of: lanes and masks, shuffles of any type, and the barrier of a grid.
#pragma once

#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups::detail {

struct Lanes;

__device__ inline unsigned lane() { return __nvvm_read_ptx_sreg_laneid(); }
__device__ inline unsigned lanes_below() { return __nvvm_read_ptx_sreg_lanemask_lt(); }

// The lane of a mask that has that rank in it; 32 or more for none.
__device__ inline unsigned lane_of(unsigned mask, unsigned rank) {
  return mask == 0xffffffffu ? rank : __fns(mask, 0, int(rank + 1));
}

// Of lanes in a mask: which ranks they have there.
__device__ inline unsigned ranks_of(unsigned mask, unsigned lanes) {
  if (mask == 0xffffffffu) return lanes;
  unsigned ranks = 0;
  for (unsigned rank = 0; mask != 0; mask &= mask - 1, ++rank)
    if (lanes & mask & (0u - mask)) ranks |= 1u << rank;
  return ranks;
}

// Applies a function of 32 bits to all words of a value. By reference: a lane whose value nobody reads need not have one.
template <class T, class Function>
__device__ T by_words(const T& value, Function function) {
  // Trivially copyable, but for assignment: float4 and its kin assign themselves whole (vector_types.h).
  static_assert(
      __is_trivially_constructible(T, const T&) && __is_trivially_destructible(T) && sizeof(T) <= 32,
      "shuffles move trivially copyable values of up to 32 bytes");
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int& word : words) word = function(word);
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}
template <class T>
__device__ T from_lane(unsigned mask, const T& value, unsigned source) {
  return by_words(value, [=](const int& word) { return __shfl_sync(mask, word, int(source)); });
}

template <class T>
__device__ unsigned match_any(unsigned mask, T value) {
  if constexpr (sizeof(T) < 4) return __match_any_sync(mask, unsigned(value));
  else return __match_any_sync(mask, value);
}
template <class T>
__device__ unsigned match_all(unsigned mask, T value, int& all_equal) {
  if constexpr (sizeof(T) < 4) return __match_all_sync(mask, unsigned(value), &all_equal);
  else return __match_all_sync(mask, value, &all_equal);
}

// The runtime says before each launch whether all blocks of the grid are on the GPU at the same time.
struct GridBarrier {
  unsigned arrived;  // its highest bit changes when all blocks have come; the others are 0 again then
  unsigned is_cooperative;
};
inline __device__ GridBarrier grid_barrier __asm__("__gpusim_grid_barrier");

__device__ inline void wait_for_grid() {
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    const bool is_first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
    __threadfence();
    const unsigned before = atomicAdd(&grid_barrier.arrived, is_first ? 0x80000000u - (blocks - 1) : 1u);
    while (((before ^ *(volatile unsigned*)&grid_barrier.arrived) & 0x80000000u) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

}  // namespace cooperative_groups::detail

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
