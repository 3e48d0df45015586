// 64 tiles a look: two loads in flight in each lane.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ int look_back<int>(const TileWord* states, int tile) {
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int last = tile - 1;; last -= 64) {
    TileState<int> near{TileStatus::prefix, 0}, far{TileStatus::prefix, 0};
    do {
      if (last - lane >= 0) near = read_state<int>(states, last - lane);
      if (last - 32 - lane >= 0) far = read_state<int>(states, last - 32 - lane);
    } while (__any_sync(kAllLanes, near.status == TileStatus::empty || far.status == TileStatus::empty));
    for (const TileState<int>& state : {near, far}) {
      const unsigned prefixes = __ballot_sync(kAllLanes, state.status == TileStatus::prefix);
      const bool counts = (prefixes & ((1u << lane) - 1)) == 0;  // no prefix is nearer than mine
      sum += __reduce_add_sync(kAllLanes, counts ? state.value : 0);
      if (prefixes != 0) return sum;
    }
  }
}
// SPDX-License-Identifier: MIT
