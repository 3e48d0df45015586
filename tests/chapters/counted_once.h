// Counts for which a launch is counted once, though several test cases ask for them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "counts.h"

namespace judge {

// As check_counts(): but where a launch of the same name has been counted before, its counters are taken, and it does not run
// again. So the name says everything in which launches differ.
bool check_counts_once(const std::string& kernel, int blocks, const std::function<void()>& launch,
                       const std::vector<Limit>& limits, const std::string& each = "a block");

}  // namespace judge
// SPDX-License-Identifier: MIT
