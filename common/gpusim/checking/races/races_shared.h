// Races on shared memory, between the warps of a block and between the lanes of a warp.
#pragma once

#include <memory>

#include "checking/findings.h"

namespace gpusim {

// Two accesses of two threads to one byte, at least one of them no load and not both atomic, that nothing orders
// (checking/races/block_order.h). Exempt: one instruction by which lanes of a warp store the same value.
std::unique_ptr<Observer> make_shared_race_check(Findings&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
