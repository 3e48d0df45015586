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

// Whether both accesses belong to updates: a thread reads an element, changes it and writes it back, with no barrier in between.
bool are_updates(const Program&, u32 x, u32 y);
// The same where both threads come to it only once. In a loop threads of one block may update an element in different rounds, and then
// a barrier may be what is missing.
bool is_lost_update(const Program&, u32 x, u32 y);
// What is wrong with two such updates, and what mends them.
std::string lost_update(const Program&, u32 x, u32 y);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
