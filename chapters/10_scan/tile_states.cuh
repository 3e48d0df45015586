// What the blocks of a single-pass scan tell each other about their tiles: one 64-bit word a tile.
//
//   bits 63…32  status: empty, aggregate, prefix
//   bits 31…0   value: aggregate, the tile's own sum; prefix, the sum of this tile and all before it
//
// Why no fence is needed. A block that reads `aggregate` must not then read an old value. In one word it
// cannot: an aligned 64-bit access to global memory is made whole or not at all, so status and value come
// from the same store. Nothing else passes between blocks: each reads its own part of the input and writes
// its own part of the output. So `relaxed` is enough: the access is atomic, and orders nothing around it.
// With status and value in two words the order would matter: store the value, __threadfence(), store the
// status; load the status, __threadfence(), load the value. (Or a release store and an acquire load of the
// status.) Then without the fences a GPU may show the new status before the new value.
//
// Why the wait ends. Tiles are numbered in the order in which blocks start (single_pass.cuh), so a block
// waits only for blocks that run already, and the first of those waits for none.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

using TileWord = unsigned long long;

enum class TileStatus : unsigned { empty, aggregate, prefix };  // empty is 0, so cudaMemset can set it

template <typename T>
struct TileState {
  TileStatus status;
  T value;  // has no meaning while the tile is empty
};

// Makes the state of tile `tile` known to all blocks.
template <typename T>
__device__ void publish(TileWord* words, int tile, TileStatus status, T value) {
  static_assert(sizeof(T) == 4, "status and value share a 64-bit word");
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  const TileWord word = TileWord(status) << 32 | bits;
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(words + tile), "l"(word) : "memory");
}

// The state of tile `tile` at this moment. The next read may find another.
template <typename T>
__device__ TileState<T> read_state(const TileWord* words, int tile) {
  static_assert(sizeof(T) == 4, "status and value share a 64-bit word");
  TileWord word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(words + tile) : "memory");
  TileState<T> state{TileStatus(word >> 32), T{}};
  const unsigned bits = unsigned(word);
  memcpy(&state.value, &bits, sizeof bits);
  return state;
}
// SPDX-License-Identifier: MIT
