// Where a barrier is missing between two accesses that race, and whether one would help, by the code of their kernel.
#pragma once

#include <string>

#include "execution/events.h"
#include "ptx/program.h"

namespace gpusim {

struct RacingAccess {
  u32 pc;
  AccessKind kind;
};

// Between what a barrier belongs, in words: the accesses in the order in which a thread comes to them, which is not always that in which
// they raced. In a loop a thread comes from either to the other; where a barrier stands on one way, it is missing on the other.
std::string between_accesses(const Program&, const RacingAccess& then, const RacingAccess& now,
                             bool one_warp);

// Two threads update one element, and both come only once. In a loop they may update it in different rounds, and then a barrier may be
// what is missing.
bool is_lost_update(const Program&, u32 x, u32 y);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
