// Is a scan right? Like reference.h, and for the same reasons: the oracle adds the inputs in double, in
// order, and knows nothing of the kernel.
#pragma once

#include <vector>

#include "harness/reference.h"

namespace harness {

enum class ScanKind {
  inclusive,  // element i is the sum of the inputs 0 … i
  exclusive,  // element i is the sum of the inputs 0 … i - 1; element 0 is 0
};

// `depth` is the largest number of additions that an input passes through on its way to an output, as for
// verify_sum. (On the way to output i there are at most i.) The message names the first wrong element, and
// the cause if it is clear:
//   "element 2048: sum 0.25, expected 17.5 (|error| 17 > 0.00024): the scan starts again here"
Verdict verify_scan(const std::vector<float>& got, const std::vector<float>& input, ScanKind kind, int depth);

// Bit for bit.
Verdict verify_scan(const std::vector<int>& got, const std::vector<int>& input, ScanKind kind);

}  // namespace harness
// SPDX-License-Identifier: MIT
