// Straight runs: instructions that a fragment executes one after the other, whatever its registers hold. The interpreter works out
// once for the whole run which lanes execute.
#pragma once

#include <vector>

#include "lanes/lane_ops.h"
#include "ptx/program.h"

namespace gpusim {

// By pc: the length of the straight run that begins there. Its instructions are lane-wise and unguarded, and none but the first is a
// place where lanes reconverge. 0: the instruction itself is not lane-wise or has a guard.
std::vector<u32> straight_runs(const Program&, const std::vector<LaneFunction>&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
