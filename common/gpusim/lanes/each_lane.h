// The one loop over the lanes of a mask that executor and observers share.
#pragma once

#include <bit>

#include "base/base.h"

namespace gpusim {

// Calls f(lane) for each lane of the mask, ascending. A full warp is a plain loop, which the compiler may unroll.
template <class F> inline void for_each_lane(Mask mask, F f) {
  if (mask == kAllLanes) {
    for (u32 lane = 0; lane < kWarpSize; ++lane) f(lane);
  } else {
    for (; mask != 0; mask &= mask - 1) f(u32(std::countr_zero(mask)));
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
