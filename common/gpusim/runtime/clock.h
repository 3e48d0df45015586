// What a moment of a program with several GPUs comes after: of each stream so much of its work.
#pragma once

#include <algorithm>
#include <vector>

#include "base/base.h"

namespace gpusim::runtime {

using Clock = std::vector<u32>;  // by stream

inline void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t k = 0; k < other.size(); ++k) clock[k] = std::max(clock[k], other[k]);
}

}  // namespace gpusim::runtime
