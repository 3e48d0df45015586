// Segments: instructions that follow each other and are executed, and counted, together. What loads are in flight at each of them
// is worked out here, once, for a warp that has none when it begins.
#pragma once

#include <utility>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

struct SegmentLoads {
  bool is_simple = true;                     // false: the observer must be asked
  std::vector<std::pair<u32, u32>> awaited;  // pc, and for how many loads it waits
  std::vector<u32> in_flight;                // loads that are, when it ends: their pc
};

// Of the instructions [begin, end), without guards, of whose loads none has a generic address. As LoadsInFlight has it.
SegmentLoads loads_of_segment(const Program&, u32 begin, u32 end);

}  // namespace gpusim
