// A vector clock: how many tasks of each stream are done before a moment of a program with several GPUs.
#pragma once

#include <algorithm>
#include <vector>

#include "base/base.h"

namespace gpusim::runtime {

using Clock = std::vector<u32>;  // indexed by the stream's number

inline void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t k = 0; k < other.size(); ++k) clock[k] = std::max(clock[k], other[k]);
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
