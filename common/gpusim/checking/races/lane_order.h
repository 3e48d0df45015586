// How __syncwarp calls for some lanes of a warp order these lanes.
#pragma once

#include <algorithm>
#include <array>

#include "base/base.h"
#include "lanes/each_lane.h"

namespace gpusim {

class LaneOrder {
 public:
  // The members meet at time `now`: what one of them has seen, all of them have seen from now on.
  void meet(Mask members, u32 now) {
    std::array<u32, kWarpSize> all = {};
    for_each_lane(members, [&](u32 lane) {
      for (u32 k = 0; k < kWarpSize; ++k) all[k] = std::max(all[k], seen_[lane][k]);
    });
    for_each_lane(members, [&](u32 lane) { all[lane] = now; });
    for_each_lane(members, [&](u32 lane) { seen_[lane] = all; });
  }

  // Accesses of lane `earlier` before this time are ordered before what lane `later` does now.
  u32 seen(u32 later, u32 earlier) const { return seen_[later][earlier]; }

 private:
  std::array<std::array<u32, kWarpSize>, kWarpSize> seen_ = {};
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
