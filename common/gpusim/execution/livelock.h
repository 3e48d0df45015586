// Blocks that go on and on: how long a turn of theirs is, and when it is certain that they will not end.
#pragma once

#include <bit>

#include "base/base.h"

namespace gpusim {

// Warp instructions after which a block that does not end lets others go on.
inline constexpr u64 kBlockSlice = u64(1) << 22;

// If registers and program counters are some time what they were before, and no memory has changed meanwhile, they will be again
// and again.
class Livelock {
 public:
  // To be asked at the first, second, third … look in a row at which no memory had changed; `state()`, a number that stands for
  // everything else, costs as much as to run. True: it has been the same before.
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
