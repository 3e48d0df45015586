// rejected: race
// The fences are there, but the status goes out first: whoever sees it may still find the old value.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ void publish<int>(TileWord* words, int tile, TileStatus status, int value) {
  unsigned* const word = reinterpret_cast<unsigned*>(words + tile);  // value, status
  *static_cast<volatile unsigned*>(&word[1]) = unsigned(status);
  __threadfence();
  word[0] = unsigned(value);
}

template <>
__device__ TileState<int> read_state<int>(const TileWord* words, int tile) {
  const unsigned* const word = reinterpret_cast<const unsigned*>(words + tile);
  const auto status = TileStatus(*static_cast<const volatile unsigned*>(&word[1]));
  __threadfence();
  return {status, int(word[0])};
}
// SPDX-License-Identifier: MIT
