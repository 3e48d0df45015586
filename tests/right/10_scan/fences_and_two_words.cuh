// Status and value in words of their own, with the fences that order them: the value is there before the status says
// so. The value of an aggregate must not be overwritten while others read it, so prefixes are not published, and each
// block looks back to tile 0.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ void publish<int>(TileWord* words, int tile, TileStatus status, int value) {
  if (tile > 0 && status == TileStatus::prefix) return;
  unsigned* const word = reinterpret_cast<unsigned*>(words + tile);  // value, status
  word[0] = unsigned(value);
  __threadfence();  // the value is seen before the status
  *static_cast<volatile unsigned*>(&word[1]) = unsigned(status);
}

template <>
__device__ TileState<int> read_state<int>(const TileWord* words, int tile) {
  const unsigned* const word = reinterpret_cast<const unsigned*>(words + tile);
  const auto status = TileStatus(*static_cast<const volatile unsigned*>(&word[1]));
  if (status == TileStatus::empty) return {status, 0};
  __threadfence();  // the status is read before the value
  return {status, int(word[0])};
}
// SPDX-License-Identifier: MIT
