// Segments: consecutive instructions that always execute together and are counted as one. Which loads are in flight at each
// instruction is worked out here once, for a warp that enters the segment with no load in flight.
#pragma once

#include <utility>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

struct SegmentLoads {
  bool is_simple = true;  // false: the counters must follow the loads instruction by instruction
  std::vector<std::pair<u32, u32>>
      awaited;                 // (pc of an instruction that waits, number of loads that it waits for)
  std::vector<u32> in_flight;  // pc of each load that is in flight when the segment ends
};

// For the instructions [begin, end), which must have no guards and no loads from generic addresses. Agrees with LoadsInFlight.
SegmentLoads loads_of_segment(const Program&, u32 begin, u32 end);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
