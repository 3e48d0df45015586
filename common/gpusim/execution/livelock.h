// Detects blocks that will never end.
#pragma once

#include <bit>

#include "base/base.h"

namespace gpusim {

// After this many warp instructions a block that has not ended gives way to other blocks.
inline constexpr u64 kBlockSlice = u64(1) << 22;

// A hash of the state of blocks, and how many bytes it was made of.
struct StateHash {
  u64 value = 0, bytes = 0;
};

// A launch is deterministic. If all registers and program counters are what they were before, and no memory has changed in between,
// the launch will repeat itself for ever.
class Livelock {
 public:
  static constexpr u64 kAnyTime = ~u64(0);

  // To be called at each turn in which no memory has changed. `turns`: how many in a row, from 1; `executed`: warp instructions so far.
  // `state()` returns a hash of everything else. Its registers may be megabytes, and a turn may be as short as a few instructions. So
  // the state is only looked at once the blocks have run for longer than the look before took; after each turn, if `executed` is
  // kAnyTime. True: it has occurred before.
  template <class State> bool is_repeated(u64 turns, u64 executed, State state) {
    constexpr u64 kPatience = 8;
    constexpr u64 kBytes = 64;  // hashed in a fraction of the time that a warp instruction takes
    const bool stands_still = executed == executed_;
    executed_ = executed;
    if (turns < kPatience) looks_ = kPatience - 1;
    if (turns < kPatience || (executed < due_ && !stands_still)) return false;
    const StateHash now = state();
    if (executed != kAnyTime) due_ = executed + now.bytes / kBytes;
    if (++looks_ > kPatience && now.value == state_) return true;
    if (std::has_single_bit(looks_)) state_ = now.value;
    return false;
  }

 private:
  u64 executed_ = 0, due_ = 0;  // warp instructions: at the turn before; at the next look
  u64 looks_ = 0;               // since memory changed, counted from 8 on
  u64 state_ = 0;               // at looks 8, 16, 32 …
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
