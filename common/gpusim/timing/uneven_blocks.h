// Launches whose blocks have unequal amounts of work: which blocks the multiprocessor gets that has most to do.
#pragma once

#include <optional>
#include <vector>

#include "timing/launch_record.h"

namespace gpusim::timing {

// How many times as many steps the longest block has as the mean. 0: it is not known of all blocks.
double longest_to_mean(const LaunchRecord&);
bool are_uneven(const LaunchRecord&);

struct LoadedMultiprocessor {
  std::vector<u32>
      order;          // for each of its blocks a recorded one (LaunchRecord::recorded) of about as many steps
  double longer = 1;  // how many steps its blocks have for each of those
};

// Nothing if the blocks have about the same number of steps, or that is not known of all of them. `resident` blocks run at a time on each
// of `multiprocessors`; the next block goes to whichever has room first.
std::optional<LoadedMultiprocessor> most_loaded(const LaunchRecord&, u64 multiprocessors, u64 resident);

// The same of the block with most steps alone: no launch is shorter.
std::optional<LoadedMultiprocessor> longest_block(const LaunchRecord&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
