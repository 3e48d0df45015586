// rejected: fault
// Waits until the tile before has its prefix, and never uses an aggregate. In a scan it would end, one block
// after another; where the tile before has no more than its aggregate yet, it stands still.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ int look_back<int>(const TileWord* states, int tile) {
  TileState<int> state{};
  do state = read_state<int>(states, tile - 1);
  while (state.status != TileStatus::prefix);
  return state.value;
}
// SPDX-License-Identifier: MIT
