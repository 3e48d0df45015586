// What a launch spends its time on that it could do without: for each such cost, how much shorter it would be.
//
// The model runs the recorded blocks again and leaves one cost out at a time, so each saving is that of a change which removes this
// cost and nothing else. Savings do not add up: what one change saves, another may no longer.
#pragma once

#include <vector>

#include "gpusim/report.h"
#include "timing/multiprocessor.h"

namespace gpusim::timing {

// The launch as it was predicted.
struct Predicted {
  // Of the blocks, as the multiprocessors allow. Where atomics meet on one address, the launch takes longer.
  double running_nanoseconds = 0;
  double launch_nanoseconds = 0;
  double blocks = 0;  // of a multiprocessor, on average
  u64 active = 0;     // multiprocessors
};

// The costs without which the launch would be at least 5 % shorter, the largest first. Empty: there is none that the model knows.
std::vector<Saving> diagnose(const Machine&, const LaunchRecord&, const Predicted&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
