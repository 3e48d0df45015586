// Says of wrong sums where they are wrong, and what is added in place of what should be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sum_checks.h"

namespace judge {

// For a message. `wrong`: indices of the sums in `result` that are wrong. `depth`: how many additions may have rounded.
std::string wrong_sums_text(const SumKernel& kernel, const Run& result, const std::vector<float>& input,
                            int depth, const std::vector<std::size_t>& wrong);

}  // namespace judge
// SPDX-License-Identifier: MIT
