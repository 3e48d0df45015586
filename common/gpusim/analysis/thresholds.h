// The numbers with which a kernel compares sizes and indices: `if (n > 3000)`, `min(blocks, 1024)`. On either side of such a number the
// kernel may do something else, so a test that runs one side only has seen half of it.
#pragma once

#include <vector>

#include "ptx/program.h"

namespace gpusim {

struct Threshold {
  u32 pc = 0;             // of the comparison, a minimum or a maximum
  bool is_float = false;  // then `value` is compared with, else `number`
  u64 number = 0;         // its magnitude
  double value = 0;
};

// Of integers, those that are compared with what depends on a parameter of the kernel or on the number of a block; and the same
// numbers as what the compared one was computed from has them: of `n / 4 + 1 > 100` also 99 and 396. Of floats all but 0,
// infinities and NaN. In the order of the code; the same number may come several times.
std::vector<Threshold> thresholds(const Program&, const Function&);

// The conditional branches of a function whose condition compares whole numbers one of which depends on a parameter or on the number of
// a block. Pointers are left out: what is asked of them is how they are aligned. In the order of the code.
std::vector<u32> branches_on_sizes(const Program&, const Function&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
