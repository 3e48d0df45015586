// rejected: race
// __threadfence_block() orders what the own block sees; other blocks need __threadfence().
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ void publish<int>(TileWord* words, int tile, TileStatus status, int value) {
  unsigned* const word = reinterpret_cast<unsigned*>(words + tile);  // value, status
  word[0] = unsigned(value);
  __threadfence_block();
  *static_cast<volatile unsigned*>(&word[1]) = unsigned(status);
}

template <>
__device__ TileState<int> read_state<int>(const TileWord* words, int tile) {
  const unsigned* const word = reinterpret_cast<const unsigned*>(words + tile);
  const auto status = TileStatus(*static_cast<const volatile unsigned*>(&word[1]));
  __threadfence_block();
  return {status, int(word[0])};
}
// SPDX-License-Identifier: MIT
