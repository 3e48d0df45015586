// rejected: race
// Status and value in words of their own, and nothing that orders them: another block may see the new status
// and the old value.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

// ANCHOR: kernel
template <>
__device__ void publish<int>(TileWord* words, int tile, TileStatus status, int value) {
  unsigned* const word = reinterpret_cast<unsigned*>(words + tile);  // value, status
  word[0] = unsigned(value);
  *static_cast<volatile unsigned*>(&word[1]) = unsigned(status);
}

template <>
__device__ TileState<int> read_state<int>(const TileWord* words, int tile) {
  const unsigned* const word = reinterpret_cast<const unsigned*>(words + tile);
  const auto status = TileStatus(*static_cast<const volatile unsigned*>(&word[1]));
  return {status, int(word[0])};
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
