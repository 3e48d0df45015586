// rejected: wrong result
// __shfl_down_sync leaves the sum in lane 0; the other lanes return parts of it.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ int look_back<int>(const TileWord* states, int tile) {
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int last = tile - 1;; last -= 32) {
    const int mine = last - lane;
    TileState<int> state{TileStatus::prefix, 0};
    if (mine >= 0) {
      do state = read_state<int>(states, mine);
      while (state.status == TileStatus::empty);
    }
    const unsigned prefixes = __ballot_sync(kAllLanes, state.status == TileStatus::prefix);
    const int nearest = prefixes == 0 ? 31 : __ffs(prefixes) - 1;
    int value = lane <= nearest ? state.value : 0;
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_down_sync(kAllLanes, value, distance);
    sum += value;
    if (prefixes != 0) return sum;
  }
}
// SPDX-License-Identifier: MIT
