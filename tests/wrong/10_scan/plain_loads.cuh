// rejected: race
// An ordinary load of a word that another block writes. The compiler may read it once, before the loop, and
// the GPU may answer from an L1 cache that knows nothing of the other block.
#pragma once

#include "../../../solutions/10_scan/kernels.cuh"

template <>
__device__ int look_back<int>(const TileWord* states, int tile) {
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int last = tile - 1;; last -= 32) {
    const int mine = last - lane;
    TileStatus status = TileStatus::prefix;
    int value_of_tile = 0;
    if (mine >= 0) {
      do {
        status = TileStatus(states[mine] >> 32);
        value_of_tile = int(states[mine]);
      } while (status == TileStatus::empty);
    }
    const unsigned prefixes = __ballot_sync(kAllLanes, status == TileStatus::prefix);
    const int nearest = prefixes == 0 ? 31 : __ffs(prefixes) - 1;
    int value = lane <= nearest ? value_of_tile : 0;
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_xor_sync(kAllLanes, value, distance);
    sum += value;
    if (prefixes != 0) return sum;
  }
}
// SPDX-License-Identifier: MIT
