// Detects blocks that will never end.
#pragma once

#include <bit>

#include "base/base.h"

namespace gpusim {

// After this many warp instructions a block that has not ended gives way to other blocks.
inline constexpr u64 kBlockSlice = u64(1) << 22;

// A launch is deterministic. If all registers and program counters are what they were before, and no memory has changed in between,
// the launch will repeat itself for ever.
class Livelock {
 public:
  // To be called at each look at which no memory has changed since the look before. `looks`: how many in a row, from 1. `state()` returns a
  // hash of everything else, which takes as long as running the blocks does. True: the state has occurred before.
  template <class State> bool is_repeated(u64 looks, State state) {
    constexpr u64 kPatience = 8;
    if (looks < kPatience) return false;
    const u64 now = state();
    if (looks > kPatience && now == state_) return true;
    if (std::has_single_bit(looks)) state_ = now;
    return false;
  }

 private:
  u64 state_ = 0;  // after 8, 16, 32 … looks
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
