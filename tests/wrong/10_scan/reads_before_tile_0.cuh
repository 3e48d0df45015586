// rejected: fault
// Lanes that look beyond tile 0 read there, too. What they find is not added, since tile 0 has a prefix; the
// words before the array may belong to nobody.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ int look_back<int>(const TileWord* states, int tile) {
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int last = tile - 1;; last -= 32) {
    TileState<int> state;
    unsigned prefixes, empty, needed;
    do {
      state = read_state<int>(states, last - lane);
      prefixes = __ballot_sync(kAllLanes, state.status == TileStatus::prefix);
      empty = __ballot_sync(kAllLanes, state.status == TileStatus::empty);
      needed = prefixes ^ (prefixes - 1);
    } while ((empty & needed) != 0);
    int value = (needed >> lane & 1) != 0 ? state.value : 0;
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_xor_sync(kAllLanes, value, distance);
    sum += value;
    if (prefixes != 0) return sum;
  }
}
// SPDX-License-Identifier: MIT
