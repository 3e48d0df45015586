// Straight runs: instructions that the lanes of a fragment execute one after the other, whatever the lanes hold. They need
// one look at who executes, not one each.
#pragma once

#include <vector>

#include "lanes/lane_ops.h"
#include "ptx/program.h"

namespace gpusim {

// By pc: whether lanes that a branch has parted meet there.
std::vector<bool> where_lanes_meet(const Program&);

// By pc: how many instructions from there on are a straight run. They are lane-wise and unguarded, and behind the first of
// them none stands where lanes of a branch meet. 0: the instruction is none of these.
std::vector<u32> straight_runs(const Program&, const std::vector<LaneFunction>&);

}  // namespace gpusim
